// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/folding/fold_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kHalf = kLiteRtElementTypeFloat16;
constexpr auto kInt32 = kLiteRtElementTypeInt32;

std::vector<std::string> OpNames(const Model& model) {
  std::vector<std::string> names;
  for (const auto& op : model.main_subgraph().ops()) names.push_back(OpName(*op));
  return names;
}

std::vector<float> FloatsOf(const Tensor& tensor) {
  const auto bytes = tensor.weights.bytes();
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Weights of halves, dequantised and transposed, for a product.
TEST(FoldConstants, WeightsBehindConversionsBecomeConstants) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 2});
  Tensor* stored =
      b.Constant("stored", kHalf, {2, 2}, std::vector<uint8_t>{0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44});
  Tensor* order = b.Constant<int32_t>("order", {2}, {1, 0});
  Tensor* wide = b.Value("wide", kFloat, {2, 2});
  Tensor* weights = b.Value("weights", kFloat, {2, 2});
  Tensor* y = b.Value("y", kFloat, {1, 2});
  Tensor* z = b.Value("z", kFloat, {1, 2});
  b.AddOp(kLiteRtOpCodeTflDequantize, DequantizeOptions{}, {stored}, {wide});
  b.AddOp(kLiteRtOpCodeTflTranspose, TransposeOptions{}, {wide, order}, {weights});
  b.AddOp(kLiteRtOpCodeTflRelu, {}, {x}, {y});
  b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {y, weights, nullptr}, {z});
  b.Output(z);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_EQ(folded->applied, 2u);
  EXPECT_THAT(OpNames(*model), ElementsAre("RELU", "FULLY_CONNECTED"));
  EXPECT_THAT(folded->origins, ElementsAre(ElementsAre(ElementsAre(2), ElementsAre(0, 1, 3))));
  const Tensor& constant = *model->main_subgraph().op(1).inputs[1];
  EXPECT_EQ(constant.name, "weights");
  EXPECT_TRUE(constant.is_constant());
  EXPECT_THAT(FloatsOf(constant), ElementsAre(1, 3, 2, 4));
  const auto again = FoldConstants(*model);
  ASSERT_TRUE(again) << again.Error();
  EXPECT_EQ(again->applied, 0u);
}

TEST(FoldConstants, LeavesOutputsGrowthAndChance) {
  ModelBuilder b;
  Tensor* stored = b.Constant("stored", kHalf, {1}, std::vector<uint8_t>{0, 0x3c});
  Tensor* shown = b.Value("shown", kFloat, {1});
  b.AddOp(kLiteRtOpCodeTflDequantize, DequantizeOptions{}, {stored}, {shown});
  b.Output(shown);
  Tensor* dims = b.Constant<int32_t>("dims", {1}, {100000});
  Tensor* value = b.Constant<float>("value", {}, {1});
  Tensor* filled = b.Value("filled", kFloat, {100000});
  Tensor* drawn = b.Value("drawn", kFloat, {100000});
  Tensor* sum = b.Value("sum", kFloat, {100000});
  b.AddOp(kLiteRtOpCodeTflFill, FillOptions{}, {dims, value}, {filled});
  b.AddOp(kLiteRtOpCodeTflRandomUniform, RandomOptions{}, {dims}, {drawn});
  b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {filled, drawn}, {sum});
  b.Output(sum);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_EQ(folded->applied, 0u);
  EXPECT_THAT(OpNames(*model), ElementsAre("DEQUANTIZE", "FILL", "RANDOM_UNIFORM", "ADD"));
}

// A Keras model's Reshape to [batch, 6] of a product, whose shape in the file is another. The batch is 2,
// or what runs decide.
void AddReshapeByShape(ModelBuilder& b, bool is_open = false) {
  Tensor* x = b.Input("x", kFloat, {2, 3});
  if (is_open) x->shape_signature = {-1, 3};
  Tensor* weights = b.Constant<float>("weights", {6, 3}, std::vector<float>(18, 1));
  Tensor* product = b.Value("product", kFloat, {1, 6});
  Tensor* shape = b.Value("shape", kInt32, {2});
  Tensor* batch = b.Value("batch", kInt32, {});
  Tensor* dims = b.Value("dims", kInt32, {2});
  Tensor* y = b.Value("y", kFloat, {1, 6});
  b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, weights, nullptr},
          {product});
  b.AddOp(kLiteRtOpCodeTflShape, ShapeOptions{.out_type = TensorType::kInt32}, {product}, {shape});
  b.AddOp(kLiteRtOpCodeTflStridedSlice, StridedSliceOptions{.shrink_axis_mask = 1},
          {shape, b.Constant<int32_t>("begin", {1}, {0}), b.Constant<int32_t>("end", {1}, {1}),
           b.Constant<int32_t>("strides", {1}, {1})},
          {batch});
  b.AddOp(kLiteRtOpCodeTflPack, PackOptions{.values_count = 2},
          {batch, b.Constant<int32_t>("six", {}, {6})}, {dims});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{}, {product, dims}, {y});
  b.Output(y);
}

TEST(FoldConstants, WhatIsComputedOfShapesBecomesConstant) {
  ModelBuilder b;
  AddReshapeByShape(b);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_EQ(folded->applied, 3u);
  EXPECT_THAT(OpNames(*model), ElementsAre("FULLY_CONNECTED", "RESHAPE"));
  EXPECT_THAT(folded->origins, ElementsAre(ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4))));
  const Op& reshape = model->main_subgraph().op(1);
  EXPECT_THAT(reshape.inputs[1]->weights.bytes(), ElementsAre(2, 0, 0, 0, 6, 0, 0, 0));
  EXPECT_THAT(reshape.inputs[0]->shape, ElementsAre(2, 6)) << "not as the file has it";
  EXPECT_THAT(reshape.outputs[0]->shape, ElementsAre(2, 6));
}

TEST(FoldConstants, LeavesWhatIsComputedOfOpenShapes) {
  ModelBuilder b;
  AddReshapeByShape(b, /*is_open=*/true);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_EQ(folded->applied, 0u);
}

// What a loop's body is given goes before what the file says of its inputs.
TEST(FoldConstants, LeavesShapesInSubgraphsThatAreCalled) {
  ModelBuilder b;
  AddReshapeByShape(b);
  b.BeginSubgraph("body");
  AddReshapeByShape(b);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_EQ(folded->applied, 3u);
  EXPECT_EQ(model->subgraph(1).ops().size(), 5u);
}

TEST(FoldConstants, SparseConstantsBecomeDense) {
  for (int32_t last : {0, 7}) {
    ModelBuilder b;
    Tensor* x = b.Input("x", kFloat, {2, 2});
    Tensor* weights = b.Constant<float>("weights", {2, 2}, {2, 3});
    weights->sparsity = Sparsity{.traversal_order = {0, 1}, .block_map = {}, .dimensions = {}};
    weights->sparsity->dimensions.resize(2);
    weights->sparsity->dimensions[0].dense_size = 2;
    weights->sparsity->dimensions[1].format = Sparsity::DimensionFormat::kSparseCsr;
    weights->sparsity->dimensions[1].array_segments = std::vector<int32_t>{0, 1, 2};
    weights->sparsity->dimensions[1].array_indices = std::vector<int32_t>{1, last};
    Tensor* y = b.Value("y", kFloat, {2, 2});
    b.AddOp(kLiteRtOpCodeTflAdd, AddOptions{}, {x, weights}, {y});
    b.Output(y);
    const auto model = b.BuildUnchecked();
    const auto folded = FoldConstants(*model);
    if (last == 7) {
      ASSERT_FALSE(folded);
      EXPECT_THAT(folded.Error().Message(), HasSubstr("'weights'"));
      continue;
    }
    ASSERT_TRUE(folded) << folded.Error();
    EXPECT_EQ(folded->applied, 1u);
    EXPECT_FALSE(weights->sparsity);
    EXPECT_THAT(FloatsOf(*weights), ElementsAre(0, 2, 3, 0));
  }
}

// A file of a few bytes may tell of as many as it likes.
TEST(FoldConstants, SparseConstantsStaySparseWhereTheyWouldFillTheMemory) {
  ModelBuilder b;
  const std::vector<int32_t> shape = {3, 1 << 30};
  Tensor* weights = b.Constant<int8_t>("weights", shape, {7});
  weights->sparsity = Sparsity{.traversal_order = {0, 1}, .block_map = {}, .dimensions = {}};
  weights->sparsity->dimensions.resize(2);
  weights->sparsity->dimensions[0].dense_size = 3;
  weights->sparsity->dimensions[1].format = Sparsity::DimensionFormat::kSparseCsr;
  weights->sparsity->dimensions[1].array_segments = std::vector<int32_t>{0, 1, 1, 1};
  weights->sparsity->dimensions[1].array_indices = std::vector<int32_t>{5};
  Tensor* first = b.Value("first", kLiteRtElementTypeInt8, {1, 1});
  Tensor* begin = b.Constant<int32_t>("begin", {2}, {0, 0});
  Tensor* size = b.Constant<int32_t>("size", {2}, {1, 1});
  Tensor* y = b.Value("y", kLiteRtElementTypeInt8, {1, 1});
  Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {1, 1});
  b.AddOp(kLiteRtOpCodeTflSlice, {weights, begin, size}, {first});
  b.AddOp(kLiteRtOpCodeTflMaximum, {x, first}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  const auto folded = FoldConstants(*model);
  ASSERT_TRUE(folded) << folded.Error();
  EXPECT_TRUE(weights->sparsity);
  // Its bytes are not its elements.
  EXPECT_EQ(folded->applied, 0u);
}

}  // namespace
}  // namespace npukit
