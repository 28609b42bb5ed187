// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

// The wrappers of models and graphs, over libLiteRt.so's C API.

#include "litert/cc/litert_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_model_predicates.h"
#include "litert/cc/internal/litert_op_options.h"
#include "sdk/host/model/graph/model_builder.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {
namespace {

using ::litert::ElementType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kFloatType = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;

// x, w -> ADD(relu) -> sum; sum, sum -> MUL -> y; x -> CUSTOM "mine" -> z.
struct Graph {
  std::unique_ptr<::LiteRtModelT> model;
  litert::Model wrapped;

  Graph() {
    ModelBuilder b;
    auto* x = b.Input("x", kInt8, {1, 4}, PerTensor(0.5f, -3));
    auto* w = b.Constant<int8_t>("w", {1, 4}, {1, 2, 3, 4}, PerChannel({1, 2, 3, 4}, 1));
    auto* sum = b.Value("sum", kInt8, {1, 4}, PerTensor(0.25f));
    auto* y = b.Value("y", kInt8, {1, 4});
    auto* z = b.Value("z", kFloatType, {-1, 2});
    b.AddOp(kLiteRtOpCodeTflAdd,
            AddOptions{.fused_activation_function = ActivationFunctionType::kRelu}, {x, w}, {sum});
    b.AddOp(kLiteRtOpCodeTflMul, {sum, sum}, {y});
    b.AddCustomOp("mine", {}, {x}, {z});
    b.Output(y);
    b.Output(z);
    b.AddSignature("serving_default");
    b.AddMetadata("note", {'h', 'i'});
    model = Ok(b.Build());
    wrapped = litert::Model::CreateFromNonOwnedHandle(model.get());
  }
};

TEST(ModelTest, ListsSubgraphsAndSignatures) {
  const Graph g;
  EXPECT_EQ(g.wrapped.NumSubgraphs(), 1u);
  EXPECT_EQ(Ok(g.wrapped.MainSubgraph()), Ok(g.wrapped.Subgraph(0)));
  EXPECT_EQ(Ok(g.wrapped.Subgraph("serving_default")), Ok(g.wrapped.Subgraph(0)));
  EXPECT_EQ(g.wrapped.Subgraph(1).HasValue(), false);
  EXPECT_EQ(g.wrapped.Subgraph("none").HasValue(), false);
  EXPECT_THAT(Ok(g.wrapped.GetSignatureKeys()), ElementsAre("serving_default"));
  EXPECT_THAT(Ok(g.wrapped.GetSignatureInputNames()), ElementsAre("x"));
  EXPECT_THAT(Ok(g.wrapped.GetSignatureOutputNames("serving_default")), ElementsAre("y", "z"));
  EXPECT_EQ(Ok(g.wrapped.GetSignatureIndex("")), 0u);
  EXPECT_EQ(Ok(g.wrapped.GetInputTensorType("serving_default", "x")),
            litert::MakeRankedTensorType<int8_t>({1, 4}));
  EXPECT_EQ(Ok(g.wrapped.GetOutputTensorType(0, 0)), litert::MakeRankedTensorType<int8_t>({1, 4}));
  EXPECT_FALSE(g.wrapped.GetInputTensorType("none", "x"));
  EXPECT_FALSE(g.wrapped.GetInputTensorType(0, 7));
}

TEST(ModelTest, FindsMetadata) {
  const Graph g;
  EXPECT_THAT(Ok(g.wrapped.Metadata("note")), ElementsAre('h', 'i'));
  const auto none = g.wrapped.Metadata("none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.Error().StatusCC(), litert::Status::kErrorNotFound);
  EXPECT_EQ(none.Error().Message(), "no metadata 'none'");
}

TEST(ModelTest, RoundTripsThroughBytes) {
  ModelBuilder b;
  auto* x = b.Input("x", kFloatType, {2});
  auto* y = b.Value("y", kFloatType, {2});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
  b.Output(y);
  auto model = litert::ExtendedModel::CreateFromOwnedHandle(Ok(b.Build()).release());
  Ok(model.AddMetadata("note", "hi"));
  const auto bytes = Ok(
      litert::ExtendedModel::Serialize(std::move(model), litert::SerializationOptions::Defaults()));
  const auto loaded = Ok(litert::ExtendedModel::CreateFromBuffer(bytes));
  EXPECT_EQ(Ok(loaded.MainSubgraph()).Ops().size(), 1u);
  EXPECT_THAT(Ok(loaded.Metadata("note")), ElementsAre('h', 'i'));
}

TEST(ModelTest, SaysWhichFileItCannotLoad) {
  const auto model = litert::Model::CreateFromFile("/no/such/file.tflite");
  ASSERT_FALSE(model);
  EXPECT_THAT(model.Error().Message(), ::testing::HasSubstr("/no/such/file.tflite"));
}

TEST(SubgraphTest, WalksTheGraph) {
  const Graph g;
  const auto subgraph = Ok(g.wrapped.MainSubgraph());
  ASSERT_EQ(subgraph.Inputs().size(), 1u);
  EXPECT_EQ(subgraph.Inputs()[0].Name(), "x");
  ASSERT_EQ(subgraph.Outputs().size(), 2u);
  EXPECT_EQ(Ok(subgraph.Output("z")).Name(), "z");
  EXPECT_FALSE(subgraph.Input("y"));
  const auto ops = subgraph.Ops();
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_TRUE(ops[0].Is(kLiteRtOpCodeTflAdd));
  EXPECT_EQ(Ok(ops[2].CustomCode()), "mine");
  EXPECT_FALSE(ops[0].CustomCode());
  EXPECT_EQ(Ok(ops[1].Input(1)).Name(), "sum");
  EXPECT_EQ(ops[1].Input(2).HasValue(), false);
  EXPECT_EQ(Ok(ops[1].InputDefiningOp(0)), ops[0]);
  EXPECT_EQ(Ok(ops[1].Output(0)).Name(), "y");
}

TEST(TensorTest, KnowsWhereItComesFromAndGoes) {
  const Graph g;
  const auto ops = Ok(g.wrapped.MainSubgraph()).Ops();
  const auto x = Ok(ops[0].Input(0));
  const auto w = Ok(ops[0].Input(1));
  const auto sum = Ok(ops[0].Output(0));
  EXPECT_TRUE(x.IsSubgraphInput());
  EXPECT_FALSE(x.IsConstant());
  EXPECT_TRUE(w.IsConstant());
  EXPECT_FALSE(w.IsSubgraphInput());
  EXPECT_FALSE(sum.IsConstant());
  EXPECT_FALSE(x.DefiningOp());
  EXPECT_EQ(sum.DefiningOp()->op, ops[0].Get());
  const auto uses = sum.Uses();
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].user, ops[1]);
  EXPECT_EQ(uses[1].user_arg_ind, 1u);
  EXPECT_EQ(x.Uses().size(), 2u);
}

// What the C API can't say is the model's doing and must not end the process.
TEST(TensorTest, MoreDimensionsThanALayoutHolds) {
  ModelBuilder b;
  auto* x = b.Input("x", kFloatType, {1, 2, 1, 2, 1, 2, 1, 2, 1});
  auto* y = b.Value("y", kFloatType, {1, 2, 1, 2, 1, 2, 1, 2, 1});
  b.AddOp(kLiteRtOpCodeTflAdd, {x, x}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  const auto wrapped = litert::Model::CreateFromNonOwnedHandle(model.get());
  const auto tensor = Ok(Ok(wrapped.MainSubgraph()).Ops()[0].Input(0));
  EXPECT_EQ(tensor.Name(), "x");
  EXPECT_FALSE(tensor.RankedTensorType());
}

TEST(TensorTest, KnowsTypeQuantizationAndWeights) {
  const Graph g;
  const auto ops = Ok(g.wrapped.MainSubgraph()).Ops();
  const auto x = Ok(ops[0].Input(0));
  const auto w = Ok(ops[0].Input(1));
  const auto y = Ok(ops[1].Output(0));
  EXPECT_EQ(x.ElementType(), ElementType::Int8);
  EXPECT_TRUE(x.HasType(litert::MakeRankedTensorType<int8_t>({1, 4})));
  EXPECT_FALSE(x.UnrankedTensorType());
  EXPECT_EQ(x.PerTensorQuantization().zero_point, -3);
  EXPECT_EQ(w.QTypeId(), kLiteRtQuantizationPerChannel);
  EXPECT_EQ(w.PerChannelQuantization().num_channels, 4u);
  EXPECT_FALSE(y.HasQuantization());
  // What is known without a graph around it.
  const litert::SimpleTensor& simple = x;
  EXPECT_TRUE(simple.HasQuantization());
  EXPECT_EQ(simple.QTypeId(), litert::QuantizationTypeId::PerTensor);
  EXPECT_EQ(simple.QTypeId(), kLiteRtQuantizationPerTensor);
  EXPECT_EQ(simple.PerTensorQuantization().zero_point, -3);
  EXPECT_EQ(simple.PerChannelQuantization().num_channels, 0u);
  EXPECT_EQ(static_cast<const litert::SimpleTensor&>(w).PerChannelQuantization().num_channels, 4u);
  EXPECT_FALSE(static_cast<const litert::SimpleTensor&>(y).HasQuantization());
  EXPECT_THAT(Ok(w.WeightsData<int8_t>()), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(w.WeightsData<float>());
  EXPECT_FALSE(x.WeightsData<int8_t>());
  EXPECT_FALSE(x.HasWeights());
}

TEST(TensorTest, CopiesAreEqual) {
  const Graph g;
  const auto x = Ok(Ok(g.wrapped.MainSubgraph()).Input("x"));
  litert::Tensor copy = x;
  EXPECT_EQ(copy, x);
  copy = Ok(Ok(g.wrapped.MainSubgraph()).Output("y"));
  EXPECT_NE(copy, x);
  EXPECT_EQ(copy.Name(), "y");
}

TEST(OpOptionsTest, ReadsWhatTheModelHolds) {
  const Graph g;
  const auto ops = Ok(g.wrapped.MainSubgraph()).Ops();
  const auto add = Ok(litert::GetOptionsAs<litert::AddOptions>(ops[0].Get()));
  EXPECT_EQ(add.fused_activation_function, litert::kActivationFunctionTypeRelu);
  EXPECT_EQ(add.op, ops[0].Get());
  const auto wrong = litert::GetOptionsAs<litert::AddOptions>(ops[1].Get());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.Error().StatusCC(), litert::Status::kErrorInvalidArgument);
}

TEST(OpOptionsTest, ReadsFieldsInTheirPlaces) {
  ModelBuilder b;
  auto* x = b.Input("x", kFloatType, {1, 8, 8, 1});
  auto* w = b.Constant<float>("w", {1, 1, 1, 1}, {1});
  auto* y = b.Value("y", kFloatType, {1, 4, 3, 1});
  auto* r = b.Value("r", kFloatType, {12});
  b.AddOp(kLiteRtOpCodeTflConv2d,
          Conv2DOptions{.padding = Padding::kValid,
                        .stride_w = 3,
                        .stride_h = 2,
                        .fused_activation_function = ActivationFunctionType::kRelu6,
                        .dilation_w_factor = 5,
                        .dilation_h_factor = 4},
          {x, w}, {y});
  b.AddOp(kLiteRtOpCodeTflReshape, ReshapeOptions{.new_shape = {-1}}, {y}, {r});
  b.Output(r);
  const auto model = Ok(b.Build());
  const auto ops = Ok(litert::Model::CreateFromNonOwnedHandle(model.get()).MainSubgraph()).Ops();
  const auto conv = Ok(litert::GetOptionsAs<litert::Conv2dOptions>(ops[0].Get()));
  EXPECT_EQ(conv.padding, litert::kPaddingValid);
  EXPECT_EQ(conv.stride_w, 3);
  EXPECT_EQ(conv.stride_h, 2);
  EXPECT_EQ(conv.dilation_w_factor, 5);
  EXPECT_EQ(conv.dilation_h_factor, 4);
  EXPECT_EQ(conv.fused_activation_function, litert::kActivationFunctionTypeRelu6);
  const auto reshape = Ok(litert::GetOptionsAs<litert::ReshapeOptions>(ops[1].Get()));
  EXPECT_THAT(reshape.new_shape, ElementsAre(-1));
}

TEST(PredicatesTest, MatchTypesUsesAndWeights) {
  const Graph g;
  const auto ops = Ok(g.wrapped.MainSubgraph()).Ops();
  const litert::TensorTypeInfo int8_1x4(ElementType::Int8, {1, 4});
  EXPECT_TRUE(litert::MatchOpType(ops[0], {int8_1x4, std::nullopt}, {int8_1x4}));
  EXPECT_FALSE(litert::MatchOpType(ops[0], {int8_1x4}, {int8_1x4}));
  EXPECT_FALSE(litert::MatchOpType(
      ops[0], {litert::TensorTypeInfo(ElementType::Float32), std::nullopt}, {int8_1x4}));
  const auto sum = Ok(ops[0].Output(0));
  EXPECT_TRUE(litert::MatchUse(sum, {kLiteRtOpCodeTflMul, 1}));
  EXPECT_FALSE(litert::MatchUse(sum, {kLiteRtOpCodeTflAdd, std::nullopt}));
  EXPECT_TRUE(litert::MatchUses(sum, {{kLiteRtOpCodeTflMul, 0}, {kLiteRtOpCodeTflMul, 1}}));
  EXPECT_FALSE(litert::MatchUses(sum, {{kLiteRtOpCodeTflMul, 0}}));
  EXPECT_TRUE(litert::MatchUses(sum, {{kLiteRtOpCodeTflMul, 0}}, /*strict=*/false));
  const std::vector<int8_t> want = {1, 2, 3, 4};
  EXPECT_TRUE(litert::MatchWeights<int8_t>(Ok(ops[0].Input(1)), want));
}

}  // namespace
}  // namespace npukit
