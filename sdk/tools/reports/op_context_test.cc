// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/reports/op_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/tools/reports/model_report.h"

namespace npukit::tools {
namespace {

using ::testing::HasSubstr;

nlohmann::ordered_json Report() {
  ModelBuilder b;
  const auto type = kLiteRtElementTypeFloat32;
  Tensor* x = b.Input("x", type, {4});
  Tensor* k = b.Constant<float>("k", {4}, {1, 2, 3, 4});
  Tensor* a = b.Value("a", type, {4});
  Tensor* s = b.Value("s", type, {4});
  b.AddOp(kLiteRtOpCodeTflMul, {x, k}, {a});
  b.AddOp(kLiteRtOpCodeTflSub, {a, a}, {s});
  b.Output(s);
  auto model = b.Build();
  EXPECT_TRUE(model) << model.Error().Message();
  return DescribeModel(**model, SharedBytes(), "m.tflite");
}

TEST(OpContext, ArrowOptionsProducersAndUsers) {
  const auto first = OpContext(Report(), 0, 0);
  ASSERT_TRUE(first) << first.Error().Message();
  const std::string text = OpContextText(*first);
  EXPECT_THAT(text, HasSubstr("->     0  MUL\n       1  SUB\n"));
  EXPECT_THAT(text, HasSubstr("options MulOptions\n  fused_activation_function = "));
  EXPECT_THAT(text, HasSubstr("'x' float32[4] <- input\n"));
  EXPECT_THAT(text, HasSubstr("'k' float32[4] <- constant\n"));
  EXPECT_THAT(text, HasSubstr("'a' float32[4] -> op 1 SUB\n"));
  const auto second = OpContext(Report(), 0, 1);
  ASSERT_TRUE(second);
  EXPECT_THAT(OpContextText(*second), HasSubstr("'a' float32[4] <- op 0 MUL\n"));
  EXPECT_THAT(OpContextText(*second), HasSubstr("'s' float32[4] -> output of the subgraph\n"));
}

TEST(OpContext, WhatIsNotThereIsAnError) {
  const auto op = OpContext(Report(), 0, 9);
  ASSERT_FALSE(op);
  EXPECT_EQ(op.Error().Message(), "no op 9: there are 2");
  const auto subgraph = OpContext(Report(), 3, 0);
  ASSERT_FALSE(subgraph);
  EXPECT_EQ(subgraph.Error().Message(), "no subgraph 3: there are 1");
}

}  // namespace
}  // namespace npukit::tools
