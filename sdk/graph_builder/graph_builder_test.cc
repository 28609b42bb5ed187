// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/reading/model_reader.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Quantization = GraphBuilder::Quantization;
using Tensor = GraphBuilder::Tensor;
using Type = GraphBuilder::TensorType;

constexpr auto kFloat32 = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;

// As a reader of the file sees it.
std::unique_ptr<Model> Reread(GraphBuilder& graph) {
  auto bytes = graph.Build();
  if (!bytes) {
    ADD_FAILURE() << bytes.Error().Message();
    return nullptr;
  }
  auto model = ParseModel(SharedBytes::Copy(*bytes));
  if (!model) {
    ADD_FAILURE() << model.Error().Message();
    return nullptr;
  }
  return std::move(*model);
}

TEST(GraphBuilderTest, DenseLayerPerChannel) {
  GraphBuilder graph;
  const Tensor x = graph.AddInput("x", {kInt8, {1, 4}, Quantization::PerTensor(0.5f, -3)});
  const Tensor w =
      graph.AddConstant("w", {kInt8, {2, 4}, Quantization::PerChannel({0.1f, 0.2f}, 0)},
                        std::vector<int8_t>{1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor y = graph.AddOp(kLiteRtOpCodeTflFullyConnected, {x, w, {}}, "y",
                               {kInt8, {1, 2}, Quantization::PerTensor(0.2f)},
                               {{"fused_activation_function", "RELU"}, {"keep_num_dims", true}});
  graph.AddOutput(y);
  graph.AddSignature("serving_default");
  graph.AddMetadata("origin", {1, 2, 3});

  const auto model = Reread(graph);
  ASSERT_NE(model, nullptr);
  const auto& subgraph = model->main_subgraph();
  ASSERT_EQ(subgraph.ops().size(), 1u);
  const auto& op = *subgraph.ops()[0];
  const auto* options = op.options.As<FullyConnectedOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->fused_activation_function, ActivationFunctionType::kRelu);
  EXPECT_TRUE(options->keep_num_dims);
  ASSERT_EQ(op.inputs.size(), 3u);
  EXPECT_EQ(op.inputs[2], nullptr);
  EXPECT_THAT(op.inputs[0]->quantization.zero_point.ToVector(), ElementsAre(-3));
  EXPECT_THAT(op.inputs[1]->quantization.scale, ElementsAre(0.1f, 0.2f));
  EXPECT_THAT(op.inputs[1]->weights.bytes(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  ASSERT_EQ(model->signatures.size(), 1u);
  EXPECT_EQ(model->signatures[0]->outputs[0].name, "y");
}

TEST(GraphBuilderTest, OptionsThatAreNotNamedAreUsable) {
  GraphBuilder graph;
  const Tensor x = graph.AddInput("x", {kFloat32, {1, 4, 4, 1}, {}});
  const Tensor y = graph.AddOp(kLiteRtOpCodeTflMaxPool2d, {x}, "y", {kFloat32, {1, 3, 4, 1}, {}},
                               {{"padding", "VALID"}, {"filter_height", 2}});
  graph.AddOutput(y);
  const auto model = Reread(graph);
  ASSERT_NE(model, nullptr);
  const auto* options = model->main_subgraph().ops()[0]->options.As<Pool2DOptions>();
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->stride_h, 1);
  EXPECT_EQ(options->filter_height, 2);
  EXPECT_EQ(options->filter_width, 1);
  EXPECT_EQ(options->padding, Padding::kValid);
}

TEST(GraphBuilderTest, BlockwiseWeights) {
  GraphBuilder graph;
  const Tensor x = graph.AddInput("x", {kFloat32, {1, 64}, {}});
  const Tensor scales = graph.AddConstant("scales", {kLiteRtElementTypeFloat16, {2, 2}, {}},
                                          std::vector<uint16_t>{0x3c00, 0x3800, 0x3c00, 0x3400});
  const Tensor w =
      graph.AddConstant("w", {kLiteRtElementTypeInt4, {2, 64}, Quantization::Blockwise(32, scales)},
                        std::vector<uint8_t>(64, 0x21));
  graph.AddOutput(
      graph.AddOp(kLiteRtOpCodeTflFullyConnected, {x, w, {}}, "y", {kFloat32, {1, 2}, {}}));
  const auto model = Reread(graph);
  ASSERT_NE(model, nullptr);
  const auto& quantization = model->main_subgraph().ops()[0]->inputs[1]->quantization;
  ASSERT_TRUE(quantization.blockwise);
  EXPECT_EQ(quantization.blockwise->block_size_elems, 32);
  EXPECT_EQ(quantization.blockwise->zero_points_tensor, -1);
  const auto& named =
      model->main_subgraph().tensors()[static_cast<size_t>(quantization.blockwise->scales_tensor)];
  EXPECT_EQ(named->name, "scales");
}

// A composite, and a choice between two branches.
TEST(GraphBuilderTest, SubgraphsAndCustomOps) {
  GraphBuilder graph;
  const Type type = {kFloat32, {4}, {}};
  const auto branch = [&](const char* name, LiteRtOpCode code) {
    const auto subgraph = graph.AddSubgraph(name);
    const Tensor in = graph.AddInput("in", type);
    graph.AddOutput(graph.AddOp(code, {in}, "out", type));
    return subgraph;
  };
  const auto then_branch = branch("then", kLiteRtOpCodeTflAbs);
  const auto else_branch = branch("else", kLiteRtOpCodeTflNeg);
  const auto norm = branch("norm", kLiteRtOpCodeTflExp);
  graph.Select({0});
  const Tensor choice = graph.AddInput("choice", {kLiteRtElementTypeBool, {}, {}});
  const Tensor x = graph.AddInput("x", type);
  const Tensor chosen = graph.AddOp(
      kLiteRtOpCodeTflIf, {choice, x}, "chosen", type,
      {{"then_subgraph_index", then_branch.index}, {"else_subgraph_index", else_branch.index}});
  const auto normed = graph.AddComposite("odml.norm", norm, {chosen}, {{"normed", type}});
  const auto mine = graph.AddCustomOp("mine", {7}, normed, {{"a", type}, {"b", type}});
  for (const Tensor& output : mine) graph.AddOutput(output);
  graph.AddSignature("main");

  const auto model = Reread(graph);
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(model->subgraphs().size(), 4u);
  const auto& ops = model->main_subgraph().ops();
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_EQ(ops[0]->options.As<IfOptions>()->else_subgraph_index, 2);
  EXPECT_EQ(ops[1]->options.As<StableHLOCompositeOptions>()->decomposition_subgraph_index, 3);
  EXPECT_EQ(ops[2]->custom_code, "mine");
  EXPECT_THAT(ops[2]->custom_options, ElementsAre(7));
  EXPECT_EQ(ops[2]->outputs.size(), 2u);
}

TEST(GraphBuilderTest, VariablesAndLists) {
  GraphBuilder graph;
  const Tensor state = graph.AddVariable("state", {kFloat32, {4}, {}});
  const Tensor x = graph.AddInput("x", {kFloat32, {4}, {}});
  const Tensor sum = graph.AddOp(kLiteRtOpCodeTflAdd, {x, state}, "sum", {kFloat32, {4}, {}});
  graph.AddOutput(graph.AddOp(kLiteRtOpCodeTflReshape, {sum}, "y", {kFloat32, {2, 2}, {}},
                              {{"new_shape", std::vector<int>{2, 2}}}));
  const auto model = Reread(graph);
  ASSERT_NE(model, nullptr);
  const auto& ops = model->main_subgraph().ops();
  EXPECT_TRUE(ops[0]->inputs[1]->is_variable);
  EXPECT_THAT(ops[1]->options.As<ReshapeOptions>()->new_shape, ElementsAre(2, 2));
}

TEST(GraphBuilderTest, SameCallsSameBytes) {
  const auto make = [] {
    GraphBuilder graph;
    const Tensor x = graph.AddInput("x", {kFloat32, {-1, 4}, {}});
    graph.AddOutput(graph.AddOp(kLiteRtOpCodeTflAbs, {x}, "y", {kFloat32, {-1, 4}, {}}));
    auto first = graph.Build();
    EXPECT_TRUE(first);
    auto again = graph.Build();
    EXPECT_TRUE(again);
    EXPECT_EQ(*first, *again);
    return *first;
  };
  EXPECT_EQ(make(), make());
}

// -- What is wrong in a call is said by Build

struct WrongCall {
  const char* name;
  std::function<void(GraphBuilder&, Tensor)> call;
  const char* message;
};

class WrongCallTest : public ::testing::TestWithParam<WrongCall> {};

TEST_P(WrongCallTest, IsSaidByBuild) {
  GraphBuilder graph;
  const Tensor x = graph.AddInput("x", {kFloat32, {1, 4, 4, 1}, {}});
  GetParam().call(graph, x);
  graph.AddOutput(graph.AddOp(kLiteRtOpCodeTflAbs, {x}, "y", {kFloat32, {1, 4, 4, 1}, {}}));
  const auto bytes = graph.Build();
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.Error().Status(), kLiteRtStatusErrorInvalidArgument);
  EXPECT_THAT(bytes.Error().Message(), HasSubstr(GetParam().message));
  EXPECT_FALSE(graph.Save(::testing::TempDir() + "/never.tflite"));
}

void Pool(GraphBuilder& graph, Tensor x, const GraphBuilder::Options& options) {
  graph.AddOp(kLiteRtOpCodeTflMaxPool2d, {x}, "p", {kFloat32, {1, 4, 4, 1}, {}}, options);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongCallTest,
    ::testing::Values(
        WrongCall{"UnknownOption",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"stride", 1}});
                  },
                  "op 0 (MAX_POOL_2D): no option 'stride'; there are padding, stride_w"},
        WrongCall{"NoSuchEnumerator",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"padding", "FULL"}});
                  },
                  "option 'padding' can't have this value"},
        WrongCall{"NumberForEnumerator",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"padding", 1}});
                  },
                  "option 'padding' can't have this value"},
        WrongCall{"FractionForInteger",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"stride_w", 1.5}});
                  },
                  "option 'stride_w' can't have this value"},
        WrongCall{"BeyondTheFieldsType",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"stride_w", int64_t{1} << 40}});
                  },
                  "option 'stride_w' can't have this value"},
        WrongCall{"OptionTwice",
                  [](GraphBuilder& graph, Tensor x) {
                    Pool(graph, x, {{"stride_w", 1}, {"stride_w", 2}});
                  },
                  "option 'stride_w' is given twice"},
        WrongCall{"TooFewBytes",
                  [](GraphBuilder& graph, Tensor) {
                    graph.AddConstant("c", {kFloat32, {3}, {}}, std::vector<float>{1, 2});
                  },
                  "constant 'c' has 8 bytes, its type and shape ask for 12"},
        WrongCall{"TensorOfAnotherSubgraph",
                  [](GraphBuilder& graph, Tensor x) {
                    graph.AddSubgraph("other");
                    graph.AddOp(kLiteRtOpCodeTflAbs, {x}, "z", {kFloat32, {1, 4, 4, 1}, {}});
                  },
                  "op 0 (ABS): the tensor is of subgraph 0, the current one is 1"},
        WrongCall{"NoSuchSubgraph", [](GraphBuilder& graph, Tensor) { graph.Select({7}); },
                  "there is no subgraph 7"},
        WrongCall{"OmittedOutput", [](GraphBuilder& graph, Tensor) { graph.AddOutput(Tensor()); },
                  "an output is no tensor"},
        WrongCall{"ScalesOfAnotherSubgraph",
                  [](GraphBuilder& graph, Tensor x) {
                    graph.AddSubgraph("other");
                    graph.AddConstant("w", {kInt8, {1, 4}, Quantization::Blockwise(4, x)},
                                      std::vector<int8_t>(4));
                  },
                  "the scales of 'w': the tensor is of subgraph 0"},
        WrongCall{"AddedAfterwards", [](GraphBuilder& graph, Tensor) { (void)graph.Build(); },
                  "the model is built already"}),
    [](const auto& test) { return test.param.name; });

// What no single call shows.
TEST(GraphBuilderTest, ModelThatMakesNoSense) {
  GraphBuilder graph;
  graph.AddInput("x", {kFloat32, {4}, Quantization::PerChannel({1.0f, 2.0f}, 0)});
  const auto bytes = graph.Build();
  ASSERT_FALSE(bytes);
  EXPECT_THAT(bytes.Error().Message(), HasSubstr("x"));
}

}  // namespace
}  // namespace npukit
