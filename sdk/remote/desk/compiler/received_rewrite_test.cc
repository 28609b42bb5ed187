// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Answers of a device that says that it has rewritten a model: a good one, and all that may be wrong with one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/model/testing/test_models.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/partition/copy.h"
#include "sdk/remote/desk/compiler/received_rewrite.h"

namespace npukit::remote {
namespace {

using ::testing::HasSubstr;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

// x + c -> v, |v| -> y; `c` is the constant.
std::unique_ptr<Model> Graph(LiteRtOpCode first, LiteRtOpCode second, float c,
                             const char* output = "y") {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {4});
  Tensor* constant = b.Constant("c", {4}, std::vector<float>(4, c));
  Tensor* v = b.Value("v", kFloat, {4});
  Tensor* y = b.Value(output, kFloat, {4});
  b.AddOp(first, {x, constant}, {v});
  b.AddOp(second, {v}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

std::unique_ptr<Model> Sent() { return Graph(kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflAbs, 1); }

std::vector<uint8_t> Bytes(const Model& model) {
  auto bytes = SerializeModel(model);
  EXPECT_TRUE(bytes);
  return bytes ? std::move(*bytes) : std::vector<uint8_t>();
}

// ADD became MUL, the constant is the one that was sent.
PluginAnswer Good() {
  const auto model = Graph(kLiteRtOpCodeTflMul, kLiteRtOpCodeTflAbs, 9);
  const uint32_t c = model->main_subgraph().op(0).inputs[1]->index;
  model->main_subgraph().tensor(c).weights.buffer_id = BufferStore::kEmpty;
  return {
      .number = 1, .bytes = Bytes(*model), .origins = {{{0}, {1}}}, .constants = {{0, c, 0, c}}};
}

TEST(ReceivedRewriteTest, TakesConstantsOfTheModelThatWasSent) {
  const auto sent = Sent();
  const auto received = ReceiveRewrite(*sent, Good());
  ASSERT_TRUE(received) << received.Error().Message();
  ASSERT_NE(received->model, nullptr);
  EXPECT_EQ(received->count.applied, 1U);
  EXPECT_EQ(received->count.origins, Good().origins);
  EXPECT_EQ(&received->model->buffers(), &sent->buffers());
  const auto expected = Sent();
  Op& changed = expected->main_subgraph().op(0);
  changed.code = kLiteRtOpCodeTflMul;
  changed.options = DefaultOptions(kLiteRtOpCodeTflMul);
  UpdateOperatorCodes(*expected);
  EXPECT_EQ(Bytes(*received->model), Bytes(*expected));
}

// Of an op that a transformation added in the place of none, as without a device.
TEST(ReceivedRewriteTest, AnOpMayStandForNone) {
  PluginAnswer answer = Good();
  answer.origins[0][0].clear();
  const auto received = ReceiveRewrite(*Sent(), answer);
  ASSERT_TRUE(received) << received.Error().Message();
  EXPECT_EQ(received->count.origins, answer.origins);
}

TEST(ReceivedRewriteTest, NothingRewrittenIsNoModel) {
  const auto received = ReceiveRewrite(*Sent(), {.numbers = {1, 0, 0}});
  ASSERT_TRUE(received);
  EXPECT_EQ(received->model, nullptr);
  EXPECT_TRUE(received->count.limit_reached);
}

TEST(ReceivedRewriteTest, WhatIsWrongIsNamed) {
  const auto with_model = [](std::unique_ptr<Model> model) {
    return [bytes = Bytes(*model)](PluginAnswer& answer) {
      answer.bytes = bytes;
      answer.constants.clear();
    };
  };
  auto two = Sent();
  two->AddSubgraph();
  const auto strange = Sent();
  strange->main_subgraph().op(0).code = kLiteRtOpCodeTflCustom;
  strange->main_subgraph().op(0).custom_code = kDispatchOpCustomCode;
  strange->main_subgraph().op(0).dispatch = DispatchInfo{.entry_point = "main"};
  UpdateOperatorCodes(*strange);
  auto shorter = Sent();
  shorter->main_subgraph().op(0).inputs[1]->weights.buffer_id =
      shorter->buffers().Add(SharedBytes::Take({1, 2, 3, 4}));
  const struct {
    std::function<void(PluginAnswer&)> change;
    const char* message;
  } kRows[] = {
      {[](PluginAnswer& answer) { answer.bytes.clear(); }, "the rewritten model"},
      {[](PluginAnswer& answer) { answer.bytes.resize(answer.bytes.size() / 2); },
       "the rewritten model"},
      {with_model(std::move(two)), "2 subgraphs, expected 1"},
      {with_model(Graph(kLiteRtOpCodeTflAdd, kLiteRtOpCodeTflAbs, 1, "z")),
       "subgraph 0: other inputs or outputs"},
      {with_model(CopyModel(*strange)), "subgraph 0, op 0: a DISPATCH_OP that was not sent"},
      {with_model(std::move(shorter)), "c"},
      {[](PluginAnswer& answer) { answer.origins.clear(); }, "origins of 0 subgraphs of 1"},
      {[](PluginAnswer& answer) { answer.origins[0].pop_back(); },
       "subgraph 0: origins of 1 ops of 2"},
      {[](PluginAnswer& answer) { answer.origins[0][1] = {2}; },
       "subgraph 0, op 1: it stands for op 2 of 2"},
      {[](PluginAnswer& answer) {
         answer.origins[0][1] = {1, 0};
       },
       "subgraph 0, op 1: its origins are not in order"},
      {[](PluginAnswer& answer) { answer.constants[0].subgraph = 1; },
       "it can't have the constant of"},
      {[](PluginAnswer& answer) { answer.constants[0].tensor = 99; },
       "it can't have the constant of"},
      {[](PluginAnswer& answer) { answer.constants[0].sent_subgraph = 7; },
       "it can't have the constant of subgraph 7"},
      {[](PluginAnswer& answer) { answer.constants[0].sent_tensor = 99; }, "tensor 99"},
      {[](PluginAnswer& answer) { answer.constants[0].sent_tensor = 0; }, "tensor 0"},
      {[](PluginAnswer& answer) { answer.constants.push_back(answer.constants[0]); },
       "it can't have the constant of"}};
  for (const auto& [change, message] : kRows) {
    PluginAnswer answer = Good();
    change(answer);
    const auto received = ReceiveRewrite(*Sent(), answer);
    ASSERT_FALSE(received) << message;
    EXPECT_THAT(received.Error().Message(), HasSubstr(message));
  }
}

// Whatever the bytes are: an error, or a model that a file can hold.
TEST(ReceivedRewriteTest, RandomChangesEndWell) {
  std::mt19937 random(1);
  for (const auto& sent : {Sent(), EveryFeature()}) {
    const bool is_small = sent->subgraphs().size() == 1;
    PluginAnswer good = Good();
    if (!is_small) {
      good = {.number = 1, .bytes = Bytes(*sent)};
      for (const auto& subgraph : sent->subgraphs()) {
        auto& origins = good.origins.emplace_back();
        for (const auto& op : subgraph->ops()) origins.push_back({op->index});
      }
    }
    for (int i = 0; i < 4000; ++i) {
      PluginAnswer answer = good;
      for (int change = 0; change < 3; ++change)
        answer.bytes[random() % answer.bytes.size()] = static_cast<uint8_t>(random());
      const auto received = ReceiveRewrite(*sent, answer);
      if (received) (void)SerializeModel(*received->model);
    }
  }
}

}  // namespace
}  // namespace npukit::remote
