// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/arithmetic/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulator/units/arithmetic/softmax_fixed_point.h"

namespace acme {
namespace {

// round(a * b / 2^31), halves upwards, by definition.
int64_t ExactHighMul(int64_t a, int64_t b) {
  const __int128 product = static_cast<__int128>(a) * b + (int64_t{1} << 30);
  return static_cast<int64_t>(product >> 31);
}

TEST(FixedPointTest, HighMul) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const int32_t a = static_cast<int32_t>(random()), b = static_cast<int32_t>(random());
    EXPECT_EQ(HighMulRounded(a, b), ExactHighMul(a, b));
  }
  EXPECT_EQ(HighMulRounded(INT32_MIN, INT32_MIN), INT32_MAX);
  EXPECT_EQ(HighMulRounded(INT32_MIN, INT32_MAX), -INT32_MAX);
}

TEST(FixedPointTest, ShiftRightRoundsHalvesAwayFromZero) {
  for (int32_t x = -40; x <= 40; ++x) {
    for (int e = 0; e <= 4; ++e)
      EXPECT_EQ(ShiftRightRounded(x, e), static_cast<int32_t>(std::round(x / std::pow(2.0, e))))
          << x << " " << e;
  }
  EXPECT_EQ(ShiftRightRounded(INT32_MIN, 31), -1);
  EXPECT_EQ(ShiftRightRounded(INT32_MAX, 31), 1);
}

// Values worked out by hand from TFLite's formulas.
TEST(FixedPointTest, KnownProducts) {
  constexpr int32_t kHalf = 1 << 30;
  EXPECT_EQ(MultiplyByQuantizedMultiplier(101, kHalf, 0, Rounding::kDouble), 51);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-101, kHalf, 0, Rounding::kDouble), -50);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(101, kHalf, 1, Rounding::kDouble), 101);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-3, kHalf, -1, Rounding::kDouble), -1);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-3, kHalf, -1, Rounding::kSingle), -1);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-5, kHalf, 0, Rounding::kSingle), -2);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(int64_t{1} << 40, kHalf, -20, Rounding::kWide), 1 << 19);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(1000, INT32_MAX, 0, Rounding::kWide), 1000);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(-5, kHalf, 0, Rounding::kReal), -3);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(5, kHalf, 0, Rounding::kReal), 3);
  EXPECT_EQ(MultiplyByQuantizedMultiplier(int64_t{3} << 32, kHalf, -31, Rounding::kReal), 3);
}

TEST(FixedPointTest, ExponentialIsClose) {
  for (int64_t raw = 0; raw > -(int64_t{1} << 31); raw -= 999983) {
    const double x = static_cast<double>(raw) / (1 << 26);
    EXPECT_NEAR(ExpOfNegative(static_cast<int32_t>(raw)) / 2147483648.0, std::exp(x), 3e-7) << x;
  }
  EXPECT_EQ(ExpOfNegative(0), INT32_MAX);
}

TEST(FixedPointTest, ReciprocalIsClose) {
  for (int32_t x = 1 << 19; x > 0 && x < (1 << 30); x += x / 7) {
    int bits = 0;
    const int32_t scale = ReciprocalOf(x, 12, &bits);
    const double value = x / 524288.0;  // 19 fraction bits
    EXPECT_NEAR(scale / 2147483648.0 * std::pow(2.0, -bits) * value, 1.0, 1e-7) << x;
  }
}

TEST(MultiplyReal, RoundsToBinary64BeforeItRoundsToAnInteger) {
  // 3 times the binary64 below 1/6 is below one half by less than binary64 can say.
  const double sixth = 1.0 / 6.0;
  EXPECT_EQ(MultiplyReal(3, sixth), 1);
  EXPECT_EQ(MultiplyReal(-3, sixth), -1);
  EXPECT_EQ(MultiplyReal(int64_t{1} << 52, 0x1p-53), 1);
  EXPECT_EQ(MultiplyReal((int64_t{1} << 52) - 1, 0x1p-53), 0);
}

TEST(MultiplyReal, GivesTheLeastIntegerForWhatInt32DoesNotHold) {
  EXPECT_EQ(MultiplyReal(INT32_MAX, 1.0), INT32_MAX);
  EXPECT_EQ(MultiplyReal(int64_t{INT32_MAX} + 1, 1.0), INT32_MIN);
  EXPECT_EQ(MultiplyReal(1, std::numeric_limits<double>::quiet_NaN()), INT32_MIN);
  EXPECT_EQ(MultiplyReal(-1, std::numeric_limits<double>::infinity()), INT32_MIN);
}

}  // namespace
}  // namespace acme
