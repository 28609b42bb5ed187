// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensors without elements are legal: every operator that can meet one gives a result without
// touching memory, and so does its oracle.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::Ints;
using testing::kF32;
using testing::kI32;
using testing::kI64;
using testing::NodeBuilder;

struct EmptyCase {
  LiteRtOpCode code;
  OpOptions options;
  std::vector<Shape> inputs;    // float32, unknown
  std::vector<Ints> constants;  // vectors that follow them
  std::vector<Shape> outputs;
  LiteRtElementType output_type = kF32;
};

std::vector<EmptyCase> EmptyCases() {
  return {
      {kLiteRtOpCodeTflAbs, {}, {{0, 3}}, {}, {{0, 3}}},
      {kLiteRtOpCodeTflAdd, AddOptions{}, {{0, 3}, {1, 3}}, {}, {{0, 3}}},
      {kLiteRtOpCodeTflArgMax, {}, {{0, 3}}, {{1}}, {{0}}, kI64},
      {kLiteRtOpCodeTflBroadcastTo, {}, {{1, 3}}, {{0, 3}}, {{0, 3}}},
      {kLiteRtOpCodeTflConcatenation,
       ConcatenationOptions{.axis = 1},
       {{0, 3}, {0, 2}},
       {},
       {{0, 5}}},
      {kLiteRtOpCodeTflCumsum, CumsumOptions{}, {{2, 0}}, {{1}}, {{2, 0}}},
      {kLiteRtOpCodeTflDepthToSpace,
       DepthToSpaceOptions{.block_size = 2},
       {{0, 2, 2, 4}},
       {},
       {{0, 4, 4, 1}}},
      {kLiteRtOpCodeTflExpandDims, {}, {{0}}, {{0}}, {{1, 0}}},
      {kLiteRtOpCodeTflReshape, {}, {{0, 3}}, {{3, 0}}, {{3, 0}}},
      {kLiteRtOpCodeTflReshape, {}, {{0, 4}}, {{0, -1}}, {{0, 4}}},
      {kLiteRtOpCodeTflReshape, {}, {{2, 0, 3}}, {{-1, 3}}, {{0, 3}}},
      {kLiteRtOpCodeTflResizeBilinear,
       ResizeBilinearOptions{},
       {{0, 2, 2, 1}},
       {{4, 4}},
       {{0, 4, 4, 1}}},
      {kLiteRtOpCodeTflResizeNearestNeighbor,
       ResizeNearestNeighborOptions{},
       {{1, 2, 2, 0}},
       {{4, 4}},
       {{1, 4, 4, 0}}},
      {kLiteRtOpCodeTflReverseV2, {}, {{0, 3}}, {{0}}, {{0, 3}}},
      {kLiteRtOpCodeTflSlice, {}, {{4}}, {{4}, {0}}, {{0}}},
      {kLiteRtOpCodeTflSpaceToDepth,
       SpaceToDepthOptions{.block_size = 2},
       {{0, 2, 2, 1}},
       {},
       {{0, 1, 1, 4}}},
      {kLiteRtOpCodeTflSqueeze, SqueezeOptions{}, {{0, 1}}, {}, {{0}}},
      {kLiteRtOpCodeTflStridedSlice,
       StridedSliceOptions{},
       {{0, 3}},
       {{0, 0}, {5, 3}, {1, 1}},
       {{0, 3}}},
      {kLiteRtOpCodeTflTile, {}, {{2, 3}}, {{0, 2}}, {{0, 6}}},
      {kLiteRtOpCodeTflTranspose, {}, {{0, 3, 2}}, {{2, 0, 1}}, {{2, 0, 3}}},
      {kLiteRtOpCodeTflPack,
       PackOptions{.values_count = 2, .axis = 1},
       {{0, 3}, {0, 3}},
       {},
       {{0, 2, 3}}},
      {kLiteRtOpCodeTflUnpack, UnpackOptions{.num = 2, .axis = 1}, {{0, 2}}, {}, {{0}, {0}}},
      {kLiteRtOpCodeTflSum, ReducerOptions{}, {{0, 3}}, {{0}}, {{3}}},
      {kLiteRtOpCodeTflSoftmax, SoftmaxOptions{}, {{0, 3}}, {}, {{0, 3}}},
      {kLiteRtOpCodeTflZerosLike, {}, {{0, 3}}, {}, {{0, 3}}},
  };
}

// Whatever the zero point, as in TFLite.
TEST(EmptyTensors, OfQuantizedNumbersAreReducedToStoredZeros) {
  const auto affine = testing::Affine(0.5f, 3);
  for (const LiteRtOpCode code :
       {kLiteRtOpCodeTflSum, kLiteRtOpCodeTflMean, kLiteRtOpCodeTflReduceProd}) {
    SCOPED_TRACE(OpCodeName(code));
    NodeBuilder node(code, ReducerOptions{});
    node.Input(testing::kI8, {2, 0}, affine).Constant(kI32, {1}, BytesOf(Ints{1}));
    const auto outputs = node.Output(testing::kI8, affine).Run({});
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ((*outputs)[0], std::vector<uint8_t>({0, 0}));
  }
  NodeBuilder node(kLiteRtOpCodeTflMean, ReducerOptions{});
  node.Input(kI64, {0, 1}).Constant(kI32, {1}, BytesOf(Ints{0})).Output(kI64);
  const auto outputs = node.Run({});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ((*outputs)[0], std::vector<uint8_t>(8, 0));
}

TEST(EmptyTensors, GiveResultsOfTheRightShape) {
  for (const EmptyCase& c : EmptyCases()) {
    SCOPED_TRACE(OpCodeName(c.code));
    NodeBuilder node(c.code, c.options);
    std::vector<std::vector<uint8_t>> inputs;
    for (const Shape& shape : c.inputs) {
      node.Input(kF32, shape);
      inputs.emplace_back(static_cast<size_t>(node.node().inputs.back()->elems()) * sizeof(float));
    }
    for (const Ints& values : c.constants)
      node.Constant(kI32, {static_cast<int32_t>(values.size())}, BytesOf(values));
    for (size_t i = 0; i < c.outputs.size(); ++i) node.Output(c.output_type);
    const auto outputs = node.Run(inputs);
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    for (size_t i = 0; i < c.outputs.size(); ++i)
      EXPECT_EQ(node.node().outputs[i]->shape, c.outputs[i]);
    const auto oracle = node.Oracle(inputs);
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      const auto compared = CompareWithOracle(node.node(), (*oracle)[i], (*outputs)[i]);
      ASSERT_TRUE(compared) << compared.Error().Message();
      EXPECT_TRUE(compared->ok());
    }
  }
}

// Those whose inputs are of several types.
TEST(EmptyTensors, AsIndicesTakeNothing) {
  struct {
    LiteRtOpCode code;
    Shape indices;
    Shape output;
  } const cases[] = {{kLiteRtOpCodeTflGather, {0}, {0, 2}},
                     {kLiteRtOpCodeTflGather, {2, 0}, {2, 0, 2}},
                     {kLiteRtOpCodeTflGatherNd, {0, 1}, {0, 2}},
                     {kLiteRtOpCodeTflGatherNd, {2, 0}, {2, 3, 2}}};
  for (const auto& c : cases) {
    SCOPED_TRACE(OpCodeName(c.code) + ShapeText(c.indices));
    NodeBuilder node(c.code);
    node.Input(kF32, {3, 2}).Input(kI32, c.indices).Output(kF32);
    const std::vector<uint8_t> values = BytesOf(std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto outputs = node.Run({values, {}});
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ(node.node().outputs[0]->shape, c.output);
    const auto oracle = node.Oracle({values, {}});
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    EXPECT_EQ((*oracle)[0].ToBytes(), (*outputs)[0]);
  }
}

TEST(EmptyTensors, OfTopKHaveNoRows) {
  NodeBuilder node(kLiteRtOpCodeTflTopkV2);
  node.Input(kF32, {0, 3}).Constant(kI32, {}, BytesOf(Ints{2})).Output(kF32).Output(kI32);
  const auto outputs = node.Run({{}});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ(node.node().outputs[1]->shape, (Shape{0, 2}));
  EXPECT_TRUE(node.Oracle({{}}));
}

// Huge dimensions beside one of 0 cost no memory.
TEST(EmptyTensors, OfHugeDimensionsAreFree) {
  constexpr int32_t kHuge = 2147483647;
  for (auto type : {kF32, kLiteRtElementTypeInt8}) {
    for (auto code : {kLiteRtOpCodeTflResizeBilinear, kLiteRtOpCodeTflResizeNearestNeighbor}) {
      NodeBuilder node(code);
      node.Input(type, {1, 2, 2, 0}).Constant(kI32, {2}, BytesOf(Ints{1 << 20, 1 << 20}));
      node.Output(type);
      const auto outputs = node.Run({{}});
      ASSERT_TRUE(outputs) << outputs.Error().Message();
      EXPECT_TRUE(node.Oracle({{}}));
    }
  }
  NodeBuilder top_k(kLiteRtOpCodeTflTopkV2);
  top_k.Input(kF32, {0, kHuge}).Constant(kI32, {}, BytesOf(Ints{2})).Output(kF32).Output(kI32);
  EXPECT_TRUE(top_k.Run({{}}));
  EXPECT_TRUE(top_k.Oracle({{}}));
}

TEST(EmptyTensors, MayBePaddingOnly) {
  NodeBuilder node(kLiteRtOpCodeTflSpaceToBatchNd);
  node.Input(kLiteRtElementTypeInt8, {1, 0, 1}, testing::Affine(1, 5));
  node.Constant(kI32, {1}, BytesOf(Ints{2})).Constant(kI32, {1, 2}, BytesOf(Ints{1, 1}));
  node.Output(kLiteRtElementTypeInt8, testing::Affine(1, 5));
  const auto outputs = node.Run({{}});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_EQ(node.node().outputs[0]->shape, (Shape{2, 1, 1}));
  EXPECT_EQ((*outputs)[0], (std::vector<uint8_t>{5, 5}));
}

}  // namespace
}  // namespace npukit::kernels
