// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/rewrite/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "litert/c/litert_builder.h"
#include "litert/c/litert_model.h"
#include "sdk/host/c_api/graph/testing/test_graph.h"
#include "sdk/host/rewrite/replaced_ops.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Replaces an op of one code by an op of another on the same tensors.
template <LiteRtOpCode from, LiteRtOpCode to>
LiteRtStatus Replace(LiteRtBuilder builder, LiteRtOp op) {
  LiteRtOpCode code = {};
  if (LiteRtGetOpCode(op, &code) != kLiteRtStatusOk || code != from) {
    return kLiteRtStatusPatternNoMatch;
  }
  LiteRtOp replacement = nullptr;
  if (LiteRtBuilderBuildOp(builder, to, op->inputs.size(), op->inputs.data(), op->outputs.size(),
                           op->outputs.data(), &replacement) != kLiteRtStatusOk) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return LiteRtBuilderEraseOp(builder, op);
}

constexpr auto kAddToMul = Replace<kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflMul>;
constexpr auto kAddToSub = Replace<kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflSub>;
constexpr auto kMulToSub = Replace<kLiteRtOpCodeTflMul, kLiteRtOpCodeTflSub>;
constexpr auto kMulToAdd = Replace<kLiteRtOpCodeTflMul, kLiteRtOpCodeTflAdd>;

LiteRtStatus EraseAnything(LiteRtBuilder builder, LiteRtOp op) {
  return LiteRtBuilderEraseOp(builder, op);
}

TEST(RewriteTest, AppliesUntilNothingMatches) {
  TestGraph graph;
  const LiteRtTransformation transformations[] = {{kAddToMul, "add to mul", 1}};
  auto count = RewriteModel(graph.model, transformations);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->applied, 1u);
  EXPECT_FALSE(count->limit_reached);
  EXPECT_EQ(graph.subgraph.op(0).code, kLiteRtOpCodeTflMul);
  EXPECT_THAT(graph.subgraph.op(0).inputs, ElementsAre(graph.x, graph.y));
}

TEST(RewriteTest, TheHighestBenefitIsTriedFirst) {
  const std::vector<std::vector<LiteRtTransformation>> orders = {
      {{kAddToMul, "mul", 1}, {kAddToSub, "sub", 2}},
      {{kAddToSub, "sub", 2}, {kAddToMul, "mul", 1}},
      {{kAddToSub, "sub", 1}, {kAddToMul, "mul", 1}}};  // equal: as given
  for (const auto& transformations : orders) {
    TestGraph graph;
    ASSERT_TRUE(RewriteModel(graph.model, transformations));
    EXPECT_EQ(graph.subgraph.op(0).code, kLiteRtOpCodeTflSub);
  }
}

TEST(RewriteTest, PatternsThatUndoEachOtherEnd) {
  TestGraph graph;
  const LiteRtTransformation transformations[] = {{kAddToMul, "there", 1}, {kMulToAdd, "back", 1}};
  auto count = RewriteModel(graph.model, transformations);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->applied, static_cast<size_t>(kMaxRewritesPerSubgraph));
  EXPECT_TRUE(count->limit_reached);
}

LiteRtStatus ChangeNothing(LiteRtBuilder, LiteRtOp) { return kLiteRtStatusOk; }

TEST(RewriteTest, APatternThatChangesNothingHasNotMatched) {
  TestGraph graph;
  const LiteRtTransformation transformations[] = {{ChangeNothing, "nothing", 2},
                                                  {kAddToMul, "to mul", 1}};
  auto count = RewriteModel(graph.model, transformations);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->applied, 1u);
  EXPECT_FALSE(count->limit_reached);
  EXPECT_EQ(graph.subgraph.op(0).code, kLiteRtOpCodeTflMul);
}

using Origins = std::vector<std::vector<uint32_t>>;

TEST(RewriteTest, AnOpInPlaceOfAnotherComesFromIt) {
  TestGraph graph;
  const LiteRtTransformation transformations[] = {{kAddToMul, "to mul", 1},
                                                  {kMulToSub, "to sub", 1}};
  const auto count = RewriteModel(graph.model, transformations);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->applied, 2u);
  EXPECT_EQ(count->origins, OpOrigins({{{0}, {1}}}));
}

TEST(RewriteTest, OriginsOfTwoRewritesCompose) {
  const OpOrigins first = {{{0, 1}, {2}, {}}, {{0}}};
  const OpOrigins second = {{{1}, {0, 1}, {2}, {1, 0}}, {{0}}};
  EXPECT_EQ(Compose(first, second), OpOrigins({{{2}, {0, 1, 2}, {}, {0, 1, 2}}, {{0}}}));
}

// -- Which of the erased ops a new one stands for

// Ops in a chain, each reading what the one before wrote: erased ones of `graph`, new ones beside
// it, which may write the same tensors.
struct Chain {
  BufferStore store;
  Subgraph graph{&store};
  Subgraph built{&store};
  std::vector<const Op*> erased;
  std::vector<const Op*> made;

  Tensor* Erased(const std::vector<Tensor*>& inputs) {
    Op& op = graph.AddOp();
    for (Tensor* input : inputs) Subgraph::AddInput(op, input);
    Tensor& output = graph.AddTensor();
    Subgraph::AddOutput(op, output);
    erased.push_back(&op);
    return &output;
  }
  void Made(const std::vector<Tensor*>& inputs, Tensor* output) {
    Op& op = built.AddOp();
    op.inputs = inputs;
    op.outputs = {output};
    made.push_back(&op);
  }
  // As positions in `erased`.
  Origins Replaced() const {
    Origins all;
    for (const auto& ops : ReplacedOps(made, erased)) {
      auto& positions = all.emplace_back();
      for (const Op* op : ops) {
        positions.push_back(
            static_cast<uint32_t>(std::find(erased.begin(), erased.end(), op) - erased.begin()));
      }
    }
    return all;
  }
};

TEST(ReplacedOpsTest, OneForTwoStandsForBoth) {
  Chain chain;
  Tensor* x = &chain.graph.AddTensor();
  Tensor* a = chain.Erased({x});
  Tensor* b = chain.Erased({a, nullptr});
  chain.Made({x}, b);
  EXPECT_EQ(chain.Replaced(), Origins({{0, 1}}));
}

TEST(ReplacedOpsTest, TwoForOneBothStandForIt) {
  Chain chain;
  Tensor* x = &chain.graph.AddTensor();
  Tensor* a = chain.Erased({x});
  Tensor* between = &chain.built.AddTensor();
  chain.Made({x}, between);
  chain.Made({x, between}, a);
  EXPECT_EQ(chain.Replaced(), Origins({{0}, {0}}));
}

TEST(ReplacedOpsTest, EachStandsForWhatLiesBetweenItsResultAndTheNextOnes) {
  Chain chain;
  Tensor* x = &chain.graph.AddTensor();
  Tensor* a = chain.Erased({x});
  Tensor* b = chain.Erased({a});
  Tensor* c = chain.Erased({b});
  Tensor* d = chain.Erased({c});
  chain.Made({x}, b);
  chain.Made({b}, d);
  EXPECT_EQ(chain.Replaced(), Origins({{0, 1}, {2, 3}}));
}

TEST(ReplacedOpsTest, WhatNothingTellsStandsForAll) {
  Chain chain;
  Tensor* x = &chain.graph.AddTensor();
  chain.Erased({x});
  chain.Erased({x});
  chain.Made({x}, &chain.built.AddTensor());
  EXPECT_EQ(chain.Replaced(), Origins({{0, 1}}));
}

TEST(RewriteTest, ErrorsNameTheTransformation) {
  TestGraph graph;
  const LiteRtTransformation bad_rewrite[] = {{EraseAnything, "eraser", 1}};
  auto count = RewriteModel(graph.model, bad_rewrite);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.Error().Status(), kLiteRtStatusErrorGraphModification);
  EXPECT_THAT(count.Error().Message(), HasSubstr("transformation 'eraser' at op 0: tensor 'sum'"));
  EXPECT_EQ(graph.subgraph.ops().size(), 2u);

  const LiteRtTransformation no_pattern[] = {{kAddToMul, "good", 2}, {nullptr, "empty", 1}};
  count = RewriteModel(graph.model, no_pattern);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.Error().Status(), kLiteRtStatusErrorInvalidArgument);
  EXPECT_THAT(count.Error().Message(), HasSubstr("transformation 1 has no pattern"));
  EXPECT_EQ(graph.subgraph.op(0).code, kLiteRtOpCodeTflAdd);
}

}  // namespace
}  // namespace npukit
