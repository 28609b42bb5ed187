// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators that move, select and index elements: results for small inputs by hand, the oracle held
// against the kernel on each. Larger shapes come from the corpus.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using ::testing::HasSubstr;
using testing::NodeBuilder;

using testing::Bytes;
using testing::Floats;
using testing::Ints;
using testing::Iota;
using testing::kBool;
using testing::kF32;
using testing::kI32;
using testing::kI64;
using testing::kI8;
using testing::kU8;
using testing::Longs;
using testing::Scalar;
using testing::Vector;

// -- Results -------------------------------------------------------------------------------------

struct ResultCase {
  std::string name;
  LiteRtOpCode code;
  OpOptions options;
  std::function<void(NodeBuilder&)> build;
  std::vector<std::vector<uint8_t>> inputs;  // empty ones are the constants
  std::vector<Shape> shapes;
  std::vector<std::vector<uint8_t>> outputs;
};

std::vector<ResultCase> ResultCases() {
  return {
      {"transpose",
       kLiteRtOpCodeTflTranspose,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3});
         Vector(n, {1, 0});
         n.Output(kI32);
       },
       {BytesOf(Ints{0, 1, 2, 3, 4, 5})},
       {{3, 2}},
       {BytesOf(Ints{0, 3, 1, 4, 2, 5})}},
      {"transpose_with_negative_dimensions",
       kLiteRtOpCodeTflTranspose,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 2, 2});
         Vector(n, {-1, 0, 1});
         n.Output(kI8);
       },
       {BytesOf(Bytes{0, 1, 2, 3})},
       {{2, 1, 2}},
       {BytesOf(Bytes{0, 2, 1, 3})}},
      {"concatenation_of_scalars",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) { n.Input(kI64, {}).Input(kI64, {}).Output(kI64); },
       {BytesOf(Longs{7}), BytesOf(Longs{9})},
       {{2}},
       {BytesOf(Longs{7, 9})}},
      {"concatenation_with_an_empty_input",
       kLiteRtOpCodeTflConcatenation,
       ConcatenationOptions{.axis = 1},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 1}).Input(kI32, {2, 0}).Output(kI32);
       },
       {BytesOf(Ints{1, 2}), {}},
       {{2, 1}},
       {BytesOf(Ints{1, 2})}},
      {"concatenation_rescales_uint8",
       kLiteRtOpCodeTflConcatenation,
       {},
       [](NodeBuilder& n) {
         n.Input(kU8, {2}, Affine(1.0f, 0)).Input(kU8, {1}, Affine(0.5f, 10));
         n.Output(kU8, Affine(0.5f, 10));
       },
       {{3, 200}, {77}},
       {{3}},
       {{16, 255, 77}}},
      {"strided_slice_backwards",
       kLiteRtOpCodeTflStridedSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {5});
         Vector(n, {-1});
         Vector(n, {0});
         Vector(n, {-2});
         n.Output(kI32);
       },
       {BytesOf(Iota(5))},
       {{2}},
       {BytesOf(Ints{4, 2})}},
      {"strided_slice_with_ellipsis_new_and_shrunk_dimensions",
       kLiteRtOpCodeTflStridedSlice,
       StridedSliceOptions{.ellipsis_mask = 1, .new_axis_mask = 2, .shrink_axis_mask = 4},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 1, 3});
         Vector(n, {0, 0, 1});
         Vector(n, {0, 0, 2});
         Vector(n, {1, 1, 1});
         n.Output(kI32);
       },
       {BytesOf(Iota(6))},
       {{2, 1, 1}},
       {BytesOf(Ints{1, 4})}},
      {"strided_slice_of_nothing",
       kLiteRtOpCodeTflStridedSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {5});
         Vector(n, {3});
         Vector(n, {3});
         Vector(n, {1});
         n.Output(kI32);
       },
       {BytesOf(Iota(5))},
       {{0}},
       {{}}},
      {"slice_of_the_rest",
       kLiteRtOpCodeTflSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3});
         Vector(n, {0, 1});
         Vector(n, {-1, -1});
         n.Output(kI32);
       },
       {BytesOf(Iota(6))},
       {{2, 2}},
       {BytesOf(Ints{1, 2, 4, 5})}},
      {"split_v_with_a_rest",
       kLiteRtOpCodeTflSplitV,
       SplitVOptions{.num_splits = 2},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3});
         Vector(n, {1, -1});
         Scalar(n, 1);
         n.Output(kI32).Output(kI32);
       },
       {BytesOf(Iota(6))},
       {{2, 1}, {2, 2}},
       {BytesOf(Ints{0, 3}), BytesOf(Ints{1, 2, 4, 5})}},
      {"gather_with_batch_dimensions",
       kLiteRtOpCodeTflGather,
       GatherOptions{.axis = 1, .batch_dims = 1},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3}).Input(kI64, {2, 1}).Output(kI32);
       },
       {BytesOf(Iota(6)), BytesOf(Longs{2, 0})},
       {{2, 1}},
       {BytesOf(Ints{2, 3})}},
      {"gather_nd_of_slices",
       kLiteRtOpCodeTflGatherNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3}).Input(kI32, {2, 1}).Output(kI32);
       },
       {BytesOf(Iota(6)), BytesOf(Ints{1, 0})},
       {{2, 3}},
       {BytesOf(Ints{3, 4, 5, 0, 1, 2})}},
      {"mirror_pad_reflects",
       kLiteRtOpCodeTflMirrorPad,
       MirrorPadOptions{.mode = MirrorPadMode::kReflect},
       [](NodeBuilder& n) {
         n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI32);
       },
       {BytesOf(Iota(3))},
       {{6}},
       {BytesOf(Ints{2, 1, 0, 1, 2, 1})}},
      {"mirror_pad_repeats_the_edge",
       kLiteRtOpCodeTflMirrorPad,
       MirrorPadOptions{.mode = MirrorPadMode::kSymmetric},
       [](NodeBuilder& n) {
         n.Input(kI32, {3}).Constant(kI32, {1, 2}, BytesOf(Ints{2, 1})).Output(kI32);
       },
       {BytesOf(Iota(3))},
       {{6}},
       {BytesOf(Ints{1, 0, 0, 1, 2, 2})}},
      {"space_to_batch_pads_with_the_zero_point",
       kLiteRtOpCodeTflSpaceToBatchNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {1, 3, 1}, Affine(1, 5));
         Vector(n, {2});
         n.Constant(kI32, {1, 2}, BytesOf(Ints{1, 0})).Output(kI8, Affine(1, 5));
       },
       {BytesOf(Bytes{1, 2, 3})},
       {{2, 2, 1}},
       {BytesOf(Bytes{5, 2, 1, 3})}},
      {"batch_to_space_crops",
       kLiteRtOpCodeTflBatchToSpaceNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI8, {2, 2, 1});
         Vector(n, {2});
         n.Constant(kI32, {1, 2}, BytesOf(Ints{1, 0})).Output(kI8);
       },
       {BytesOf(Bytes{5, 2, 1, 3})},
       {{1, 3, 1}},
       {BytesOf(Bytes{1, 2, 3})}},
      {"tile_of_a_broadcast",
       kLiteRtOpCodeTflTile,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 1});
         Vector(n, {2, 2});
         n.Output(kI32);
       },
       {BytesOf(Ints{1, 2})},
       {{4, 2}},
       {BytesOf(Ints{1, 1, 2, 2, 1, 1, 2, 2})}},
      {"arg_max_takes_the_first_of_equals",
       kLiteRtOpCodeTflArgMax,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2, 2});
         Scalar(n, -1);
         n.Output(kI64);
       },
       {BytesOf(Floats{1, 1, -2, 3})},
       {{2}},
       {BytesOf(Longs{0, 1})}},
      {"top_k_takes_the_earlier_of_equals",
       kLiteRtOpCodeTflTopkV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {4});
         Scalar(n, 2);
         n.Output(kF32).Output(kI32);
       },
       {BytesOf(Floats{1, 3, 3, 2})},
       {{2}, {2}},
       {BytesOf(Floats{3, 3}), BytesOf(Ints{1, 2})}},
      {"top_k_of_none",
       kLiteRtOpCodeTflTopkV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {4});
         Scalar(n, 0);
         n.Output(kF32).Output(kI32);
       },
       {BytesOf(Floats{1, 3, 3, 2})},
       {{0}, {0}},
       {{}, {}}},
      {"one_hot_ignores_what_is_outside",
       kLiteRtOpCodeTflOneHot,
       OneHotOptions{.axis = -1},
       [](NodeBuilder& n) {
         n.Input(kI32, {2});
         Scalar(n, 2);
         Scalar(n, 9);
         Scalar(n, 4);
         n.Output(kI32);
       },
       {BytesOf(Ints{1, -1})},
       {{2, 2}},
       {BytesOf(Ints{4, 9, 4, 4})}},
      {"cumsum_exclusive_and_reverse",
       kLiteRtOpCodeTflCumsum,
       CumsumOptions{.exclusive = true, .reverse = true},
       [](NodeBuilder& n) {
         n.Input(kI32, {3});
         Scalar(n, 0);
         n.Output(kI32);
       },
       {BytesOf(Ints{1, 2, std::numeric_limits<int32_t>::max()})},
       {{3}},
       {BytesOf(
           Ints{std::numeric_limits<int32_t>::min() + 1, std::numeric_limits<int32_t>::max(), 0})}},
      {"embedding_lookup_of_int4_rows",
       kLiteRtOpCodeTflEmbeddingLookup,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {1});
         n.Constant(kLiteRtElementTypeInt4, {2, 2}, {0x21, 0xF8}, Affine(0.5f, 0)).Output(kF32);
       },
       {BytesOf(Ints{1})},
       {{1, 2}},
       {BytesOf(Floats{-4, -0.5f})}},
      {"shape",
       kLiteRtOpCodeTflShape,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2, 0, 3}).Output(kI64);
       },
       {{}},
       {{3}},
       {BytesOf(Longs{2, 0, 3})}},
      {"rank",
       kLiteRtOpCodeTflRank,
       {},
       [](NodeBuilder& n) {
         n.Input(kF32, {2, 0, 3}).Output(kI32);
       },
       {{}},
       {{}},
       {BytesOf(Ints{3})}},
      {"zeros_like",
       kLiteRtOpCodeTflZerosLike,
       {},
       [](NodeBuilder& n) { n.Input(kF32, {2}).Output(kF32); },
       {BytesOf(Floats{1, 2})},
       {{2}},
       {BytesOf(Floats{0, 0})}},
      {"fill",
       kLiteRtOpCodeTflFill,
       {},
       [](NodeBuilder& n) {
         Vector(n, {2, 2});
         n.Input(kI64, {}).Output(kI64);
       },
       {{}, BytesOf(Longs{258})},
       {{2, 2}},
       {BytesOf(Longs{258, 258, 258, 258})}},
      {"range_downwards",
       kLiteRtOpCodeTflRange,
       {},
       [](NodeBuilder& n) {
         Scalar(n, 5);
         Scalar(n, 0);
         Scalar(n, -2);
         n.Output(kI32);
       },
       {},
       {{3}},
       {BytesOf(Ints{5, 3, 1})}},
      {"range_of_floats",
       kLiteRtOpCodeTflRange,
       {},
       [](NodeBuilder& n) {
         for (float v : {0.0f, 1.0f, 0.25f}) n.Constant(kF32, {}, BytesOf(Floats{v}));
         n.Output(kF32);
       },
       {},
       {{4}},
       {BytesOf(Floats{0, 0.25f, 0.5f, 0.75f})}},
      {"reverse",
       kLiteRtOpCodeTflReverseV2,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 2});
         Vector(n, {-1, 0});
         n.Output(kI32);
       },
       {BytesOf(Iota(4))},
       {{2, 2}},
       {BytesOf(Ints{3, 2, 1, 0})}},
      {"where",
       kLiteRtOpCodeTflWhere,
       {},
       [](NodeBuilder& n) {
         n.Constant(kBool, {2, 2}, {0, 1, 1, 0}).Output(kI64);
       },
       {},
       {{2, 2}},
       {BytesOf(Longs{0, 1, 1, 0})}},
      {"scatter_nd_adds_up",
       kLiteRtOpCodeTflScatterNd,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {3, 1}).Input(kF32, {3});
         Vector(n, {4});
         n.Output(kF32);
       },
       {BytesOf(Ints{1, 3, 1}), BytesOf(Floats{1, 2, 4})},
       {{4}},
       {BytesOf(Floats{0, 5, 0, 2})}},
      {"dynamic_update_slice_stays_inside",
       kLiteRtOpCodeTflDynamicUpdateSlice,
       {},
       [](NodeBuilder& n) {
         n.Input(kI32, {2, 3}).Input(kI32, {1, 2}).Input(kI32, {2}).Output(kI32);
       },
       {BytesOf(Iota(6)), BytesOf(Ints{8, 9}), BytesOf(Ints{-3, 7})},
       {{2, 3}},
       {BytesOf(Ints{0, 8, 9, 3, 4, 5})}},
      {"resize_bilinear_at_half_pixels",
       kLiteRtOpCodeTflResizeBilinear,
       ResizeBilinearOptions{.half_pixel_centers = true},
       [](NodeBuilder& n) {
         n.Input(kF32, {1, 1, 2, 1});
         Vector(n, {1, 4});
         n.Output(kF32);
       },
       {BytesOf(Floats{0, 4})},
       {{1, 1, 4, 1}},
       {BytesOf(Floats{0, 1, 3, 4})}},
  };
}

TEST(MovementOps, GiveTheExpectedElements) {
  for (const ResultCase& c : ResultCases()) {
    SCOPED_TRACE(c.name);
    NodeBuilder node(c.code, c.options);
    c.build(node);
    const auto outputs = node.Run(c.inputs);
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    const auto oracle = node.Oracle(c.inputs);
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    ASSERT_EQ(outputs->size(), c.outputs.size());
    for (size_t i = 0; i < c.outputs.size(); ++i) {
      EXPECT_EQ(node.node().outputs[i]->shape, c.shapes[i]);
      EXPECT_EQ((*outputs)[i], c.outputs[i]);
      const auto compared = CompareWithOracle(node.node(), (*oracle)[i], (*outputs)[i]);
      ASSERT_TRUE(compared) << compared.Error().Message();
      EXPECT_TRUE(compared->ok()) << "output " << i << " off by " << compared->max_difference;
    }
  }
}

// Each element of each permutation of a tensor whose dimensions are no multiples of anything.
TEST(MovementOps, TransposeMovesEachElement) {
  const Shape shape = {3, 17, 2, 19};
  const Ints values = Iota(3 * 17 * 2 * 19);
  Ints perm = {0, 1, 2, 3};
  do {
    NodeBuilder node(kLiteRtOpCodeTflTranspose);
    node.Input(kI32, shape);
    Vector(node, perm);
    node.Output(kI32);
    const auto outputs = node.Run({BytesOf(values)});
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    const auto moved = testing::ValuesOf<int32_t>((*outputs)[0]);
    const Shape& out = node.node().outputs[0]->shape;
    for (int32_t i = 0; i < static_cast<int32_t>(moved.size()); ++i) {
      Ints index(4);
      int32_t rest = i;
      for (size_t d = 4; d-- > 0;) {
        index[static_cast<size_t>(perm[d])] = rest % out[d];
        rest /= out[d];
      }
      int32_t from = 0;
      for (size_t d = 0; d < 4; ++d) from = from * shape[d] + index[d];
      ASSERT_EQ(moved[static_cast<size_t>(i)], from) << ::testing::PrintToString(perm);
    }
  } while (std::next_permutation(perm.begin(), perm.end()));
}

// -- Bounds --------------------------------------------------------------------------------------

TEST(MovementOps, BoundsMoveWithTheirElements) {
  NodeBuilder node(kLiteRtOpCodeTflReverseV2);
  node.Input(kF32, {2});
  Vector(node, {0});
  node.Output(kF32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{.type = kF32, .shape = {2}, .values = {1, 2}, .bounds = {0.25, 0}};
  const OracleTensor* const inputs[] = {&in, nullptr};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_TRUE(out) << out.Error().Message();
  EXPECT_EQ((*out)[0].values, (std::vector<double>{2, 1}));
  EXPECT_EQ((*out)[0].bounds, (std::vector<double>{0, 0.25}));
}

TEST(MovementOps, ArgMaxDoubtsWhereIntervalsTouch) {
  NodeBuilder node(kLiteRtOpCodeTflArgMax);
  node.Input(kF32, {4});
  Scalar(node, 0);
  node.Output(kI32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{
      .type = kF32, .shape = {4}, .values = {1, 0, 5, 5.5}, .bounds = {0.5, 0.5, 0.5, 0.5}};
  const OracleTensor* const inputs[] = {&in, nullptr};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_TRUE(out) << out.Error().Message();
  EXPECT_EQ((*out)[0].bytes, BytesOf(Ints{3}));
  EXPECT_EQ((*out)[0].bounds, (std::vector<double>{1}));
}

TEST(MovementOps, UncertainIndicesAreRefused) {
  NodeBuilder node(kLiteRtOpCodeTflGather);
  node.Input(kF32, {4}).Input(kI32, {1}).Output(kF32);
  ASSERT_TRUE(node.Infer());
  OracleTensor in{.type = kF32, .shape = {4}, .values = {1, 2, 3, 4}, .bounds = {0, 0, 0, 0}};
  OracleTensor at{.type = kI32, .shape = {1}, .bounds = {1}, .bytes = BytesOf(Ints{2})};
  const OracleTensor* const inputs[] = {&in, &at};
  const auto out = RunOracle(node.node(), inputs);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.Error().Status(), kLiteRtStatusErrorUnsupported);
  EXPECT_THAT(out.Error().Message(), HasSubstr("'in1'"));
}

}  // namespace
}  // namespace npukit::kernels
