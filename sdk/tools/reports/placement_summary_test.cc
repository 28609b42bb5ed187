// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/placement_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

PlacedOp Placed(uint32_t index, const char* op, int partition, const char* reason) {
  PlacedOp placed;
  placed.index = placed.home.index = index;
  placed.op = op;
  placed.partition = partition;
  placed.reason = reason;
  return placed;
}

// FULLY_CONNECTED of 4 x 2 x 8 MACs, two MULs, FULLY_CONNECTED of 4 x 4 x 8.
std::unique_ptr<Model> MakeModel() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4, 8});
  Tensor* w = b.Constant<float>("w", {2, 8}, std::vector<float>(16));
  Tensor* v = b.Constant<float>("v", {4, 8}, std::vector<float>(32));
  Tensor* a = b.Value("a", type, {4, 2});
  Tensor* c = b.Value("c", type, {4, 8});
  Tensor* d = b.Value("d", type, {4, 8});
  Tensor* e = b.Value("e", type, {4, 4});
  b.AddOp(kLiteRtOpCodeTflFullyConnected, {x, w, nullptr}, {a});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {c});
  b.AddOp(kLiteRtOpCodeTflMul, {c, x}, {d});
  b.AddOp(kLiteRtOpCodeTflFullyConnected, {d, v, nullptr}, {e});
  b.Output(a);
  b.Output(e);
  auto model = b.Build();
  EXPECT_TRUE(model);
  return model ? std::move(*model) : nullptr;
}

TEST(PlacementSummary, CountsOpsAndMacsByReasonTheMostMacsFirst) {
  const auto model = MakeModel();
  const std::vector<PlacedOp> ops = {Placed(0, "FULLY_CONNECTED", -1, "weights"),
                                     Placed(1, "MUL", -1, "rank"), Placed(2, "MUL", -1, "rank"),
                                     Placed(3, "FULLY_CONNECTED", 0, "")};
  const PlacementSummary summary = Summarize(*model, ops);
  EXPECT_EQ(summary.npu_ops, 1u);
  EXPECT_EQ(summary.cpu_ops, 3u);
  EXPECT_EQ(summary.npu_macs, 4u * 4 * 8);
  EXPECT_EQ(summary.cpu_macs, 4u * 2 * 8);
  ASSERT_EQ(summary.groups.size(), 2u);
  EXPECT_EQ(summary.groups[0].op, "FULLY_CONNECTED");
  EXPECT_EQ(summary.groups[1].ops, 2u);
  EXPECT_EQ(ToJson(summary)["cpu"][1]["reason"], "rank");
  const std::string text = ToText(summary);
  EXPECT_THAT(text, HasSubstr("3 of 4 ops with 33.3% of the MACs are left on the CPU\n"));
  EXPECT_THAT(text, HasSubstr("    2    0.0% of MACs  MUL: rank\n"));
  EXPECT_THAT(text, HasSubstr("largest gain: FULLY_CONNECTED (weights), 1 op with 33.3%"));
}

TEST(PlacementSummary, OneReasonIsOneWhateverTheTensorsAreCalled) {
  const auto model = MakeModel();
  const std::vector<PlacedOp> ops = {Placed(0, "FULLY_CONNECTED", -1, "'w' must be on the device"),
                                     Placed(1, "MUL", -1, "tensor 'c' is large"),
                                     Placed(2, "MUL", -1, "tensor 'd' is large"),
                                     Placed(3, "FULLY_CONNECTED", -1, "tensor 'e' is large")};
  const PlacementSummary summary = Summarize(*model, ops);
  ASSERT_EQ(summary.reasons.size(), 2u);
  EXPECT_EQ(summary.reasons[0].reason, "tensor '...' is large");
  EXPECT_EQ(summary.reasons[0].ops, 3u);
  EXPECT_EQ(summary.reasons[0].op, "FULLY_CONNECTED, MUL");
  EXPECT_EQ(ToJson(summary)["reasons"][1]["ops"], 1);
  EXPECT_THAT(ToText(summary), HasSubstr("most often:   tensor '...' is large, 3 ops"));
}

TEST(PlacementSummary, ATensorMayHaveTheNameThatStandsForAny) {
  ModelBuilder b;
  Tensor* x = b.Input("...", kLiteRtElementTypeFloat32, {4});
  Tensor* y = b.Value("y", kLiteRtElementTypeFloat32, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {x, x}, {y});
  b.Output(y);
  const auto model = b.Build();
  ASSERT_TRUE(model);
  const std::vector<PlacedOp> ops = {Placed(0, "MUL", -1, "'...' and 'y' are large, as '...' is")};
  EXPECT_EQ(Summarize(**model, ops).reasons[0].reason, "'...' and '...' are large, as '...' is");
}

TEST(PlacementSummary, OfAModelWhollyOnTheNpuHasNoAdvice) {
  const auto model = MakeModel();
  const std::vector<PlacedOp> ops = {Placed(0, "FULLY_CONNECTED", 0, "")};
  EXPECT_THAT(ToText(Summarize(*model, ops)), Not(HasSubstr("largest gain")));
}

}  // namespace
}  // namespace npukit::tools
