// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Composites that run natively: results by hand, kernels within the oracle's bound on random
// inputs, and what is left to the decomposition.

#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using testing::Floats;
using ::testing::HasSubstr;
using testing::kF32;
using testing::NodeBuilder;
using testing::ValuesOf;

using Fields = std::function<void(flexbuffers::Builder&)>;

OpOptions Composite(const std::string& name, const Fields& fields) {
  flexbuffers::Builder builder;
  builder.Map([&] { fields(builder); });
  builder.Finish();
  return StableHLOCompositeOptions{.name = name, .composite_attributes = builder.GetBuffer()};
}

struct CompositeCase {
  std::string label;
  std::string name;
  Fields fields;
  std::vector<Shape> inputs;
};

std::vector<CompositeCase> Cases() {
  const Fields epsilon = [](flexbuffers::Builder& b) { b.Float("epsilon", 1e-6f); };
  const Fields groups = [](flexbuffers::Builder& b) {
    b.Int("num_groups", 2);
    b.Int("channel_axis", -1);
    b.Float("epsilon", 1e-5f);
  };
  const Fields none = [](flexbuffers::Builder&) {};
  return {
      {"l2_norm", "odml.l2_norm", epsilon, {{3, 7}}},
      {"l2_norm_of_an_inner_axis",
       "odml.l2_norm",
       [](flexbuffers::Builder& b) {
         b.Int("axis", 1);
         b.Float("epsilon", 0.5f);
       },
       {{2, 5, 3}}},
      {"softmax", "odml.softmax", none, {{4, 9}}},
      {"group_norm", "odml.group_norm", groups, {{2, 3, 5, 6}, {6}, {6}}},
      {"group_norm_without_scale", "odml.group_norm", groups, {{1, 2, 2, 4}}},
      {"attention",
       "odml.scaled_dot_product_attention",
       none,
       {{1, 3, 4, 8}, {1, 5, 4, 8}, {1, 5, 4, 8}, {1, 1, 3, 5}}},
      {"attention_with_shared_keys",
       "odml.scaled_dot_product_attention",
       [](flexbuffers::Builder& b) { b.Float("scale", 0.25f); },
       {{2, 3, 4, 8}, {2, 5, 2, 8}, {2, 5, 2, 8}, {2, 4, 3, 5}}},
  };
}

TEST(CompositeOps, KernelsStayWithinTheOraclesBound) {
  for (const CompositeCase& c : Cases()) {
    SCOPED_TRACE(c.label);
    NodeBuilder node(kLiteRtOpCodeShloComposite, Composite(c.name, c.fields));
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 2);
    std::vector<std::vector<uint8_t>> inputs;
    for (const Shape& shape : c.inputs) {
      node.Input(kF32, shape);
      Floats values(static_cast<size_t>(node.node().inputs.back()->elems()));
      for (float& value : values) value = normal(random);
      inputs.push_back(BytesOf(values));
    }
    node.Output(kF32);
    const auto outputs = node.Run(inputs);
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ(node.node().outputs[0]->shape, c.inputs[0]);
    const auto oracle = node.Oracle(inputs);
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    const auto compared = CompareWithOracle(node.node(), (*oracle)[0], (*outputs)[0]);
    ASSERT_TRUE(compared) << compared.Error().Message();
    EXPECT_TRUE(compared->ok()) << compared->max_difference << ", " << compared->max_bound_use;
    // The bound says something: it is far below the values.
    for (size_t i = 0; i < (*oracle)[0].bounds.size(); ++i) EXPECT_LT((*oracle)[0].bounds[i], 1e-4);
  }
}

TEST(CompositeOps, L2NormByHand) {
  NodeBuilder node(kLiteRtOpCodeShloComposite,
                   Composite("odml.l2_norm", [](auto& b) { b.Float("epsilon", 0.0f); }));
  node.Input(kF32, {1, 2}).Output(kF32);
  const auto outputs = node.Run({BytesOf(Floats{3, 4})});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_THAT(ValuesOf<float>((*outputs)[0]),
              ::testing::ElementsAre(::testing::FloatEq(0.6f), ::testing::FloatEq(0.8f)));
}

TEST(CompositeOps, GroupNormByHand) {
  NodeBuilder node(kLiteRtOpCodeShloComposite, Composite("odml.group_norm", [](auto& b) {
                     b.Int("num_groups", 2);
                     b.Float("epsilon", 0.0f);
                   }));
  node.Input(kF32, {1, 1, 2, 2}).Input(kF32, {2}).Input(kF32, {2}).Output(kF32);
  const auto outputs =
      node.Run({BytesOf(Floats{1, 10, 3, 30}), BytesOf(Floats{2, 1}), BytesOf(Floats{0, 5})});
  ASSERT_TRUE(outputs) << outputs.Error().Message();
  EXPECT_THAT(ValuesOf<float>((*outputs)[0]),
              ::testing::ElementsAre(::testing::FloatEq(-2), ::testing::FloatEq(4),
                                     ::testing::FloatEq(2), ::testing::FloatEq(6)));
}

TEST(CompositeOps, AttentionLooksOnlyAtWhatTheMaskLeaves) {
  for (float hidden : {-std::numeric_limits<float>::infinity(), -3e38f, -1e9f}) {
    SCOPED_TRACE(hidden);
    NodeBuilder node(kLiteRtOpCodeShloComposite,
                     Composite("odml.scaled_dot_product_attention", [](auto&) {}));
    node.Input(kF32, {1, 1, 1, 2}).Input(kF32, {1, 3, 1, 2});
    node.Input(kF32, {1, 3, 1, 2}).Input(kF32, {1, 1, 1, 3}).Output(kF32);
    const std::vector<std::vector<uint8_t>> inputs = {
        BytesOf(Floats{1, 1}), BytesOf(Floats{9, 9, 0, 0, 0, 0}),
        BytesOf(Floats{100, 100, 1, 2, 3, 6}), BytesOf(Floats{hidden, 0, 0})};
    const auto outputs = node.Run(inputs);
    ASSERT_TRUE(outputs) << outputs.Error().Message();
    EXPECT_EQ(ValuesOf<float>((*outputs)[0]), (Floats{2, 4}));
    const auto oracle = node.Oracle(inputs);
    ASSERT_TRUE(oracle) << oracle.Error().Message();
    const auto compared = CompareWithOracle(node.node(), (*oracle)[0], (*outputs)[0]);
    ASSERT_TRUE(compared) << compared.Error().Message();
    EXPECT_TRUE(compared->ok());
    EXPECT_LT((*oracle)[0].bounds[0], 1e-4);
  }
}

// Unsupported means that the decomposition runs; anything else that the model is at fault.
TEST(CompositeOps, WhatIsNotKnownIsLeftToTheDecomposition) {
  const Fields none = [](flexbuffers::Builder&) {};
  const CompositeCase cases[] = {
      {"epsilon is missing", "odml.l2_norm", none, {{1, 4}}},
      {"an unknown attribute",
       "odml.l2_norm",
       [](auto& b) {
         b.Float("epsilon", 0);
         b.Int("contoso", 1);
       },
       {{1, 4}}},
      {"softmax of two inputs", "odml.softmax", none, {{1, 4}, {1, 4}}},
      {"softmax along the first axis", "odml.softmax", [](auto& b) { b.Int("axis", 0); }, {{2, 4}}},
      {"group norm of two dimensions",
       "odml.group_norm",
       [](auto& b) {
         b.Int("num_groups", 1);
         b.Float("epsilon", 0);
       },
       {{2, 4}}},
      {"attention without a mask",
       "odml.scaled_dot_product_attention",
       none,
       {{1, 3, 4, 8}, {1, 5, 4, 8}, {1, 5, 4, 8}}},
      {"attention with heads before the sequence",
       "odml.scaled_dot_product_attention",
       none,
       {{1, 4, 3, 8}, {1, 4, 5, 8}, {1, 4, 5, 8}, {1, 1, 3, 5}}},
      {"attention with a cap",
       "odml.scaled_dot_product_attention",
       [](auto& b) { b.Float("logit_cap", 50); },
       {{1, 3, 4, 8}, {1, 5, 4, 8}, {1, 5, 4, 8}, {1, 1, 3, 5}}},
  };
  for (const CompositeCase& c : cases) {
    SCOPED_TRACE(c.label);
    NodeBuilder node(kLiteRtOpCodeShloComposite, Composite(c.name, c.fields));
    for (const Shape& shape : c.inputs) node.Input(kF32, shape);
    node.Output(kF32);
    const auto shapes = node.Infer();
    ASSERT_FALSE(shapes);
    EXPECT_EQ(shapes.Error().Status(), kLiteRtStatusErrorUnsupported) << shapes.Error().Message();
  }
}

TEST(CompositeOps, BrokenAttributesAreErrors) {
  NodeBuilder node(kLiteRtOpCodeShloComposite,
                   StableHLOCompositeOptions{.name = "odml.l2_norm",
                                             .composite_attributes = {0xFF, 0xFF, 0xFF}});
  node.Input(kF32, {1, 2}).Output(kF32);
  const auto shapes = node.Infer();
  ASSERT_FALSE(shapes);
  EXPECT_EQ(shapes.Error().Status(), kLiteRtStatusErrorInvalidArgument);
  EXPECT_THAT(shapes.Error().Message(), HasSubstr("FlexBuffer"));
}

}  // namespace
}  // namespace npukit::kernels
