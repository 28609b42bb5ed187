// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/oracle/oracle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

// Of 1 + inf, which is the same infinity, or float32's largest number where a kernel clamps.
TEST(CompareWithOracle, AnInfinityIsNeitherNanNorTheOtherOne) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLargest = std::numeric_limits<float>::max();
  testing::NodeBuilder builder(kLiteRtOpCodeTflAdd, DefaultOptions(kLiteRtOpCodeTflAdd));
  builder.Input(kLiteRtElementTypeFloat32, {1}).Input(kLiteRtElementTypeFloat32, {1});
  builder.Output(kLiteRtElementTypeFloat32);
  ASSERT_TRUE(builder.Infer());
  for (const float sign : {1.0f, -1.0f}) {
    const OracleTensor one{
        .type = kLiteRtElementTypeFloat32, .shape = {1}, .values = {1}, .bounds = {0}};
    const OracleTensor infinity{.type = kLiteRtElementTypeFloat32,
                                .shape = {1},
                                .values = {static_cast<double>(sign * kInfinity)},
                                .bounds = {0}};
    const OracleTensor* inputs[] = {&one, &infinity};
    const auto expected = RunOracle(builder.node(), inputs);
    ASSERT_TRUE(expected);
    const auto is_right = [&](float actual) {
      std::vector<uint8_t> bytes(sizeof actual);
      std::memcpy(bytes.data(), &actual, sizeof actual);
      const auto comparison = CompareWithOracle(builder.node(), expected->front(), bytes);
      return comparison && comparison->ok();
    };
    EXPECT_TRUE(is_right(sign * kInfinity));
    EXPECT_TRUE(is_right(sign * kLargest));
    EXPECT_FALSE(is_right(-sign * kInfinity));
    EXPECT_FALSE(is_right(-sign * kLargest));
    EXPECT_FALSE(is_right(std::numeric_limits<float>::quiet_NaN()));
    EXPECT_FALSE(is_right(sign * 1e30f));
  }
}

// As between two infinite errors that are set against each other.
TEST(CompareWithOracle, ABoundThatIsNoNumberJudgesNoNumber) {
  testing::NodeBuilder builder(kLiteRtOpCodeTflAdd, DefaultOptions(kLiteRtOpCodeTflAdd));
  builder.Input(kLiteRtElementTypeFloat32, {1}).Input(kLiteRtElementTypeFloat32, {1});
  builder.Output(kLiteRtElementTypeFloat32);
  ASSERT_TRUE(builder.Infer());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto is_right = [&](double expected, float actual) {
    const OracleTensor wanted{
        .type = kLiteRtElementTypeFloat32, .shape = {1}, .values = {expected}, .bounds = {nan}};
    std::vector<uint8_t> bytes(sizeof actual);
    std::memcpy(bytes.data(), &actual, sizeof actual);
    const auto comparison = CompareWithOracle(builder.node(), wanted, bytes);
    return comparison && comparison->ok();
  };
  EXPECT_TRUE(is_right(1.0, 1.5f));
  EXPECT_TRUE(is_right(nan, std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(is_right(nan, 1.0f));
  EXPECT_FALSE(is_right(std::numeric_limits<double>::infinity(), 1.0f));
}

}  // namespace
}  // namespace npukit::kernels
