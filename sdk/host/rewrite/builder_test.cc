// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/rewrite/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_op_options.h"
#include "sdk/host/c_api/graph/testing/test_graph.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LiteRtRankedTensorType Int8Type(std::vector<int32_t> dims) {
  LiteRtRankedTensorType type = {};
  type.element_type = kLiteRtElementTypeInt8;
  type.layout.rank = static_cast<unsigned>(dims.size());
  std::copy(dims.begin(), dims.end(), type.layout.dimensions);
  return type;
}

LiteRtTensor BuildTensor(RewriteBuilder& builder, const char* name) {
  LiteRtTensor tensor = nullptr;
  EXPECT_EQ(
      LiteRtBuilderBuildTensor(&builder, kLiteRtRankedTensorType, Int8Type({1, 4}), {}, nullptr,
                               kLiteRtQuantizationPerTensor, {0.5f, 1}, {}, name, &tensor),
      kLiteRtStatusOk);
  return tensor;
}

LiteRtOp BuildOp(RewriteBuilder& builder, LiteRtOpCode code, std::vector<LiteRtTensor> inputs,
                 std::vector<LiteRtTensor> outputs) {
  LiteRtOp op = nullptr;
  EXPECT_EQ(LiteRtBuilderBuildOp(&builder, code, inputs.size(), inputs.data(), outputs.size(),
                                 outputs.data(), &op),
            kLiteRtStatusOk);
  return op;
}

std::vector<LiteRtOpCode> Codes(const Subgraph& subgraph) {
  std::vector<LiteRtOpCode> codes;
  for (const auto& op : subgraph.ops()) codes.push_back(op->code);
  return codes;
}

TEST(BuilderTest, ReplacesAnOp) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  EXPECT_TRUE(builder.empty());
  LiteRtOp mul = BuildOp(builder, kLiteRtOpCodeTflMul, {graph.x, graph.y}, {graph.sum});
  uint32_t relu6 = 3;
  ASSERT_EQ(LiteRtBuilderBuildMulOpOption(&builder, mul, &relu6), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.add), kLiteRtStatusOk);

  // Nothing has happened yet.
  EXPECT_EQ(graph.sum->defining_op, graph.add);
  EXPECT_EQ(graph.x->users.size(), 1u);
  LiteRtParamIndex count = 0;
  ASSERT_EQ(LiteRtGetNumOpInputs(mul, &count), kLiteRtStatusOk);
  EXPECT_EQ(count, 2u);

  ASSERT_TRUE(builder.Apply());
  EXPECT_THAT(Codes(graph.subgraph),
              ElementsAre(kLiteRtOpCodeTflMul, kLiteRtOpCodeTflFullyConnected));
  const Op& applied = graph.subgraph.op(0);
  EXPECT_EQ(graph.sum->defining_op, &applied);
  EXPECT_THAT(applied.inputs, ElementsAre(graph.x, graph.y));
  EXPECT_EQ(graph.x->users, (std::vector<Tensor::User>{{const_cast<Op*>(&applied), 0}}));
  ASSERT_NE(applied.OptionsAs<MulOptions>(), nullptr);
  EXPECT_EQ(applied.OptionsAs<MulOptions>()->fused_activation_function,
            ActivationFunctionType::kRelu6);
}

TEST(BuilderTest, BuildsTensorsAndWeights) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  LiteRtTensor constant = BuildTensor(builder, "three");
  const uint8_t bytes[] = {3, 3, 3, 3};
  LiteRtWeights weights = nullptr;
  ASSERT_EQ(LiteRtBuilderBuildWeights(&builder, bytes, 4, constant, &weights), kLiteRtStatusOk);
  LiteRtTensor between = BuildTensor(builder, "between");
  BuildOp(builder, kLiteRtOpCodeTflSub, {graph.x, constant}, {between});
  BuildOp(builder, kLiteRtOpCodeTflMul, {between, graph.y}, {graph.sum});
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.add), kLiteRtStatusOk);
  // Among themselves built things are linked at once.
  LiteRtParamIndex uses = 0;
  ASSERT_EQ(LiteRtGetNumTensorUses(between, &uses), kLiteRtStatusOk);
  EXPECT_EQ(uses, 1u);
  const size_t buffers_before = graph.model.buffers().size();

  ASSERT_TRUE(builder.Apply());
  EXPECT_THAT(Codes(graph.subgraph), ElementsAre(kLiteRtOpCodeTflSub, kLiteRtOpCodeTflMul,
                                                 kLiteRtOpCodeTflFullyConnected));
  const Tensor& applied = *graph.subgraph.op(0).inputs[1];
  EXPECT_EQ(applied.name, "three");
  EXPECT_EQ(applied.shape, std::vector<int32_t>({1, 4}));
  EXPECT_EQ(applied.quantization.scale, std::vector<float>({0.5f}));
  EXPECT_TRUE(applied.is_constant());
  EXPECT_EQ(applied.weights.bytes()[3], 3);
  EXPECT_EQ(applied.weights.store, &graph.model.buffers());
  EXPECT_EQ(graph.model.buffers().size(), buffers_before + 1);
  EXPECT_EQ(graph.subgraph.op(0).outputs[0], graph.subgraph.op(1).inputs[0]);
}

TEST(BuilderTest, ErasesWhatOnlyErasedOpsNamed) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  // out = RELU(x) in place of both ops: sum and w fall away.
  BuildOp(builder, kLiteRtOpCodeTflRelu, {graph.x}, {graph.out});
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.add), kLiteRtStatusOk);
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.fully_connected), kLiteRtStatusOk);
  ASSERT_TRUE(builder.Apply());
  std::vector<std::string> names;
  for (const auto& tensor : graph.subgraph.tensors()) {
    names.push_back(tensor->name);
  }
  EXPECT_THAT(names, ElementsAre("x", "y", ""));  // y is a graph input
}

TEST(BuilderTest, WithoutApplyNothingChanges) {
  TestGraph graph;
  const size_t buffers_before = graph.model.buffers().size();
  {
    RewriteBuilder builder(graph.subgraph);
    LiteRtTensor tensor = BuildTensor(builder, "lost");
    const uint8_t byte = 1;
    LiteRtWeights weights = nullptr;
    ASSERT_EQ(LiteRtBuilderBuildWeights(&builder, &byte, 1, tensor, &weights), kLiteRtStatusOk);
    BuildOp(builder, kLiteRtOpCodeTflRelu, {graph.x}, {tensor});
    ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.add), kLiteRtStatusOk);
  }
  EXPECT_EQ(graph.subgraph.ops().size(), 2u);
  EXPECT_EQ(graph.subgraph.tensors().size(), 5u);
  EXPECT_EQ(graph.x->users.size(), 1u);
  EXPECT_EQ(graph.model.buffers().size(), buffers_before);
}

TEST(BuilderTest, AnErasedOpOfItsOwnIsNotApplied) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  LiteRtOp op = BuildOp(builder, kLiteRtOpCodeTflRelu, {graph.x}, {BuildTensor(builder, "unused")});
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, op), kLiteRtStatusOk);
  ASSERT_TRUE(builder.Apply());
  EXPECT_EQ(graph.subgraph.ops().size(), 2u);
  EXPECT_EQ(graph.subgraph.tensors().size(), 5u);
}

struct BadRewrite {
  const char* name;
  void (*rewrite)(RewriteBuilder&, TestGraph&);
  const char* message;
};

class BadRewriteTest : public ::testing::TestWithParam<BadRewrite> {};

TEST_P(BadRewriteTest, IsRefusedAndChangesNothing) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  GetParam().rewrite(builder, graph);
  const litert::Expected<void> applied = builder.Apply();
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.Error().Status(), kLiteRtStatusErrorGraphModification);
  EXPECT_THAT(applied.Error().Message(), HasSubstr(GetParam().message));
  EXPECT_EQ(graph.subgraph.ops().size(), 2u);
  EXPECT_EQ(graph.subgraph.tensors().size(), 5u);
  EXPECT_EQ(graph.sum->defining_op, graph.add);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadRewriteTest,
    ::testing::Values(
        BadRewrite{"ReadButNotWritten", [](RewriteBuilder& b, TestGraph& g) { b.Erase(*g.add); },
                   "'sum' is still read"},
        BadRewrite{"OutputNotWritten",
                   [](RewriteBuilder& b, TestGraph& g) { b.Erase(*g.fully_connected); },
                   "output '' would not be written"},
        BadRewrite{"TwoProducers",
                   [](RewriteBuilder& b, TestGraph& g) {
                     BuildOp(b, kLiteRtOpCodeTflRelu, {g.x}, {g.sum});
                   },
                   "'sum', whose own op stays"},
        BadRewrite{"TwoNewProducers",
                   [](RewriteBuilder& b, TestGraph& g) {
                     LiteRtTensor t = BuildTensor(b, "t");
                     BuildOp(b, kLiteRtOpCodeTflRelu, {g.x}, {t});
                     BuildOp(b, kLiteRtOpCodeTflRelu, {g.y}, {t});
                   },
                   "two new ops write tensor 't'"},
        BadRewrite{
            "WritesAnInput",
            [](RewriteBuilder& b, TestGraph& g) { BuildOp(b, kLiteRtOpCodeTflRelu, {g.y}, {g.x}); },
            "'x', which is an input or a constant"},
        BadRewrite{
            "WritesAConstant",
            [](RewriteBuilder& b, TestGraph& g) { BuildOp(b, kLiteRtOpCodeTflRelu, {g.y}, {g.w}); },
            "'w', which is an input or a constant"},
        BadRewrite{"Cycle",
                   [](RewriteBuilder& b, TestGraph& g) {
                     b.Erase(*g.add);
                     BuildOp(b, kLiteRtOpCodeTflRelu, {g.out}, {g.sum});
                   },
                   "cycle"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BuilderTest, RefusesWhatIsNotItsOwn) {
  TestGraph graph;
  TestGraph other;
  RewriteBuilder builder(graph.subgraph);
  const LiteRtStatus invalid = kLiteRtStatusErrorInvalidArgument;
  EXPECT_EQ(LiteRtBuilderEraseOp(&builder, other.add), invalid);
  LiteRtOp op = nullptr;
  LiteRtTensor foreign[] = {other.x};
  LiteRtTensor own[] = {graph.out};
  EXPECT_EQ(LiteRtBuilderBuildOp(&builder, kLiteRtOpCodeTflRelu, 1, foreign, 1, own, &op), invalid);
  LiteRtTensor null_tensor[] = {nullptr};
  EXPECT_EQ(LiteRtBuilderBuildOp(&builder, kLiteRtOpCodeTflRelu, 1, null_tensor, 1, own, &op),
            invalid);
  const uint8_t byte = 0;
  LiteRtWeights weights = nullptr;
  EXPECT_EQ(LiteRtBuilderBuildWeights(&builder, &byte, 1, graph.x, &weights), invalid);
  // Options go to ops of the builder, of the right code, only.
  uint32_t relu = 1;
  EXPECT_EQ(LiteRtBuilderBuildAddOpOption(&builder, graph.add, &relu), invalid);
  LiteRtOp sub =
      BuildOp(builder, kLiteRtOpCodeTflSub, {graph.x, graph.y}, {BuildTensor(builder, "t")});
  EXPECT_EQ(LiteRtBuilderBuildAddOpOption(&builder, sub, &relu), invalid);
  EXPECT_EQ(LiteRtBuilderBuildSubOpOption(&builder, sub, &relu), kLiteRtStatusOk);
  EXPECT_EQ(LiteRtBuilderBuildSubOpOption(&builder, sub, nullptr),
            kLiteRtStatusOk);  // the default
  LiteRtTensor tensor = nullptr;
  EXPECT_EQ(LiteRtBuilderBuildTensor(&builder, kLiteRtUnrankedTensorType, {}, {}, nullptr,
                                     kLiteRtQuantizationNone, {}, {}, nullptr, &tensor),
            kLiteRtStatusErrorUnsupported);
  EXPECT_EQ(LiteRtBuilderBuildTensor(&builder, kLiteRtRankedTensorType, {}, {}, nullptr,
                                     kLiteRtQuantizationBlockWise, {}, {}, nullptr, &tensor),
            invalid);
}

// As a plugin of LiteRT v2.2.0 calls it.
using BuildTensorV22 = LiteRtStatus (*)(LiteRtBuilder, LiteRtTensorTypeId, LiteRtRankedTensorType,
                                        LiteRtUnrankedTensorType, LiteRtWeights,
                                        LiteRtQuantizationTypeId, LiteRtQuantizationPerTensor,
                                        LiteRtQuantizationPerChannel, LiteRtQuantizationBlockWise,
                                        const char*, LiteRtTensor*);
const auto kBuildTensorV22 =
    reinterpret_cast<BuildTensorV22>(reinterpret_cast<void*>(&LiteRtBuilderBuildTensor));

TEST(BuilderTest, TensorsWithBlockWiseQuantization) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph, /*has_block_wise_argument=*/true);
  LiteRtTensor scales = nullptr;
  ASSERT_EQ(kBuildTensorV22(&builder, kLiteRtRankedTensorType, Int8Type({1, 2}), {}, nullptr,
                            kLiteRtQuantizationPerTensor, {.scale = 0.5f, .zero_point = 3}, {}, {},
                            "scales", &scales),
            kLiteRtStatusOk);
  EXPECT_EQ(scales->name, "scales");
  EXPECT_EQ(scales->quantization.scale, std::vector<float>({0.5f}));
  EXPECT_EQ(scales->quantization.zero_point, std::vector<int64_t>({3}));
  LiteRtTensor blocks = nullptr;
  ASSERT_EQ(kBuildTensorV22(&builder, kLiteRtRankedTensorType, Int8Type({1, 2}), {}, nullptr,
                            kLiteRtQuantizationBlockWise, {}, {},
                            {.scales = scales, .zero_points = graph.w, .block_size = 32}, "blocks",
                            &blocks),
            kLiteRtStatusOk);
  EXPECT_EQ(kBuildTensorV22(&builder, kLiteRtRankedTensorType, Int8Type({1, 2}), {}, nullptr,
                            kLiteRtQuantizationBlockWise, {}, {}, {}, "no scales", &blocks),
            kLiteRtStatusErrorInvalidArgument);

  ASSERT_TRUE(BuildOp(builder, kLiteRtOpCodeTflFullyConnected, {graph.sum, blocks}, {graph.out}));
  ASSERT_EQ(LiteRtBuilderEraseOp(&builder, graph.fully_connected), kLiteRtStatusOk);
  ASSERT_TRUE(builder.Apply());
  const Tensor* in_graph = graph.subgraph.op(1).inputs[1];
  ASSERT_EQ(in_graph->name, "blocks");
  LiteRtQuantizationBlockWise found = {};
  ASSERT_EQ(LiteRtGetBlockWiseQuantization(const_cast<Tensor*>(in_graph), &found), kLiteRtStatusOk);
  ASSERT_NE(found.scales, nullptr);
  EXPECT_EQ(found.scales->name, "scales");
  EXPECT_EQ(found.zero_points, graph.w);
  EXPECT_EQ(found.block_size, 32);
  EXPECT_EQ(LiteRtGetBlockWiseQuantization(graph.x, &found), kLiteRtStatusErrorInvalidIrType);
}

TEST(BuilderTest, ListAndNumberOptions) {
  TestGraph graph;
  RewriteBuilder builder(graph.subgraph);
  LiteRtOp reshape =
      BuildOp(builder, kLiteRtOpCodeTflReshape, {graph.x}, {BuildTensor(builder, "r")});
  int32_t shape[] = {4, 1};
  ASSERT_EQ(LiteRtBuilderBuildReshapeOpOption(&builder, reshape, shape, 2), kLiteRtStatusOk);
  EXPECT_EQ(reshape->OptionsAs<ReshapeOptions>()->new_shape, std::vector<int32_t>({4, 1}));
  EXPECT_EQ(LiteRtBuilderBuildReshapeOpOption(&builder, reshape, nullptr, 2),
            kLiteRtStatusErrorInvalidArgument);
  EXPECT_EQ(LiteRtBuilderBuildReshapeOpOption(&builder, reshape, shape, -1),
            kLiteRtStatusErrorInvalidArgument);

  LiteRtOp conv =
      BuildOp(builder, kLiteRtOpCodeTflConv2d, {graph.x, graph.w}, {BuildTensor(builder, "c")});
  uint32_t padding = 1;
  int32_t stride_w = 2;
  int32_t stride_h = 3;
  uint32_t activation = 1;
  ASSERT_EQ(LiteRtBuilderBuildConv2dOpOption(&builder, conv, &padding, &stride_w, &stride_h,
                                             nullptr, nullptr, &activation),
            kLiteRtStatusOk);
  EXPECT_EQ(*conv->OptionsAs<Conv2DOptions>(),
            (Conv2DOptions{.padding = Padding::kValid,
                           .stride_w = 2,
                           .stride_h = 3,
                           .fused_activation_function = ActivationFunctionType::kRelu}));
}

}  // namespace
}  // namespace npukit
