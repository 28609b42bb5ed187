// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/numeric_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace npukit {
namespace {

template <typename T>
std::optional<NumericGap> Gap(LiteRtElementType type, const std::vector<T>& expected,
                              const std::vector<T>& actual, Quantization quantization = {},
                              std::vector<int32_t> shape = {}) {
  Tensor tensor;
  tensor.element_type = type;
  tensor.quantization = std::move(quantization);
  if (shape.empty()) shape = {static_cast<int32_t>(expected.size())};
  auto bytes = [](const std::vector<T>& values) {
    return std::span(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T));
  };
  return MeasureGap(tensor, shape, bytes(expected), bytes(actual));
}

TEST(NumericGap, EqualValues) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto gap = Gap<float>(kLiteRtElementTypeFloat32, {1, nan, 0.0f}, {1, nan, -0.0f});
  ASSERT_TRUE(gap);
  EXPECT_TRUE(gap->is_exact());
  EXPECT_EQ(gap->elems, 3);
  EXPECT_EQ(gap->first_differing_elem, -1);
  EXPECT_FALSE(gap->snr_db.has_value());
  EXPECT_FALSE(gap->max_steps.has_value());
}

TEST(NumericGap, Floats) {
  const auto gap = Gap<float>(kLiteRtElementTypeFloat32, {3, 4, 0}, {3, 4.5f, -0.25f});
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->differing_elems, 2);
  EXPECT_EQ(gap->first_differing_elem, 1);
  EXPECT_EQ(gap->max_abs, 0.5);
  EXPECT_DOUBLE_EQ(gap->mse, (0.25 + 0.0625) / 3);
  EXPECT_DOUBLE_EQ(*gap->snr_db, 10 * std::log10(25 / 0.3125));
}

TEST(NumericGap, NanOnOneSideIsInfinitelyFar) {
  const auto gap =
      Gap<float>(kLiteRtElementTypeFloat32, {1.0f}, {std::numeric_limits<float>::quiet_NaN()});
  ASSERT_TRUE(gap);
  EXPECT_TRUE(std::isinf(gap->max_abs));
}

TEST(NumericGap, StepsAndRealUnitsOfQuantisedIntegers) {
  Quantization quantization;
  quantization.scale = {0.5f};
  quantization.zero_point = {10};
  const auto gap = Gap<int8_t>(kLiteRtElementTypeInt8, {12, -128, 10}, {12, 127, 9}, quantization);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->max_steps, 255);
  EXPECT_EQ(gap->max_abs, 127.5);
  EXPECT_EQ(gap->differing_elems, 2);
  EXPECT_DOUBLE_EQ(gap->mse, (127.5 * 127.5 + 0.25) / 3);
  EXPECT_DOUBLE_EQ(*gap->snr_db, 10 * std::log10((1.0 + 69.0 * 69.0) / (127.5 * 127.5 + 0.25)));
}

TEST(NumericGap, ScaleOfEachChannel) {
  Quantization quantization;
  quantization.scale = {1.0f, 4.0f};
  quantization.quantized_dimension = 0;
  const auto gap = Gap<int8_t>(kLiteRtElementTypeInt8, {0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 1},
                               quantization, {2, 3});
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->max_steps, 2);
  EXPECT_EQ(gap->max_abs, 4);
}

TEST(NumericGap, WideIntegersAreComparedExactly) {
  const int64_t big = int64_t{1} << 60;
  const auto gap = Gap<int64_t>(kLiteRtElementTypeInt64, {big}, {big + 1});
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->max_steps, 1);
  EXPECT_EQ(gap->differing_elems, 1);
}

TEST(NumericGap, StepsThatDoNotFitAreTheMost) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const auto gap = Gap<int64_t>(kLiteRtElementTypeInt64, {kLeast, 1}, {kMost, 2});
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->max_steps, kMost);
  EXPECT_EQ(gap->differing_elems, 2);
  EXPECT_GT(gap->max_abs, 9e18);
}

TEST(NumericGap, RefusesUnequalSizesAndOtherTypes) {
  EXPECT_FALSE(Gap<float>(kLiteRtElementTypeFloat32, {1, 2}, {1}).has_value());
  EXPECT_FALSE(Gap<uint8_t>(kLiteRtElementTypeInt4, {1}, {1}).has_value());
}

TEST(NumericGap, Halves) {
  // 1.0 and 1.0 + 2^-10; the smallest subnormal and zero.
  const auto gap = Gap<uint16_t>(kLiteRtElementTypeFloat16, {0x3c00, 0x0001}, {0x3c01, 0x0000});
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->max_abs, 0x1p-10);
  EXPECT_EQ(gap->differing_elems, 2);
}

}  // namespace
}  // namespace npukit
