// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Selections by conditions that are in doubt: what the oracle leaves open.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::kF32;
using testing::kI8;
using testing::NodeBuilder;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr LiteRtElementType kBool = kLiteRtElementTypeBool;

std::vector<OracleTensor> Selected(LiteRtElementType type, const OracleTensor& condition,
                                   const OracleTensor& yes, const OracleTensor& no) {
  NodeBuilder node(kLiteRtOpCodeTflSelectV2, DefaultOptions(kLiteRtOpCodeTflSelectV2));
  node.Input(kBool, condition.shape).Input(type, yes.shape).Input(type, no.shape).Output(type);
  EXPECT_TRUE(node.Infer());
  const OracleTensor* const inputs[] = {&condition, &yes, &no};
  auto out = RunOracle(node.node(), inputs);
  if (out) return std::move(out.Value());
  ADD_FAILURE() << out.Error().Message();
  return std::vector<OracleTensor>(1);
}

TEST(Select, AConditionInDoubtLeavesBothValuesOpen) {
  const OracleTensor condition{
      .type = kBool, .shape = {4}, .bounds = {0, 1, 1, 1}, .bytes = {1, 1, 0, 1}};
  const OracleTensor yes{
      .type = kF32, .shape = {4}, .values = {1, 2, 3, 4}, .bounds = {0.5, 0, 0.25, 0}};
  const OracleTensor no{
      .type = kF32, .shape = {4}, .values = {9, 5, 3, -kInfinity}, .bounds = {8, 0.125, 0, 0}};
  const std::vector<OracleTensor> out = Selected(kF32, condition, yes, no);
  EXPECT_EQ(out[0].values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(out[0].bounds, (std::vector<double>{0.5, 3.125, 0.25, kInfinity}));
}

TEST(Select, IntegersTooWhereTheConditionIsBroadcast) {
  const OracleTensor condition{.type = kBool, .shape = {2, 1}, .bounds = {1, 0}, .bytes = {0, 1}};
  const OracleTensor yes{.type = kI8, .shape = {2, 2}, .bytes = {1, 2, 3, 4}};
  const OracleTensor no{.type = kI8, .shape = {2, 2}, .bytes = {0xFF, 2, 7, 8}};
  const std::vector<OracleTensor> out = Selected(kI8, condition, yes, no);
  EXPECT_EQ(out[0].bytes, (std::vector<uint8_t>{0xFF, 2, 3, 4}));
  EXPECT_EQ(out[0].bounds, (std::vector<double>{2, 0, 0, 0}));
}

}  // namespace
}  // namespace npukit::kernels
