// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Against the oracle's own arithmetic, and against the formulas in wider numbers.

#include "npukit/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/lookup_table.h"

namespace npukit {
namespace {

constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
constexpr int32_t kMost = std::numeric_limits<int32_t>::max();

std::vector<int32_t> SomeIntegers(std::mt19937& random) {
  std::vector<int32_t> values = {kLeast, kLeast + 1, -3, -2, -1, 0, 1, 2, 3, kMost - 1, kMost};
  for (int i = 0; i < 2000; ++i)
    values.push_back(static_cast<int32_t>(random()) >> static_cast<int>(random() % 32));
  return values;
}

TEST(FixedPoint, MultipliersAndRescalesAreTheOracles) {
  std::mt19937 random(1);
  std::vector<double> reals = {0, 1, 0.5, 0.999999999999, 1e-10, 0x1p-32, 0x1p-33, 3, 1000.5};
  std::uniform_real_distribution<double> exponent(-20, 8);
  for (int i = 0; i < 200; ++i) reals.push_back(std::exp2(exponent(random)));
  for (double real : reals) {
    const QuantizedMultiplier ours = ToQuantizedMultiplier(real);
    const kernels::FixedMultiplier oracles = kernels::ToFixedMultiplier(real);
    ASSERT_EQ(ours.mantissa, oracles.mantissa) << real;
    ASSERT_EQ(ours.shift, oracles.shift) << real;
    for (int32_t x : SomeIntegers(random)) {
      ASSERT_EQ(RescaleRoundingTwice(x, ours), kernels::MultiplyByFixed(x, oracles))
          << x << " * " << real;
    }
  }
}

TEST(FixedPoint, RoundingOnceIsTheNearest) {
  std::mt19937 random(2);
  for (double real : {0.5, 0.3, 0.001, 0.9999, 7.25, 1e-6}) {
    const QuantizedMultiplier multiplier = ToQuantizedMultiplier(real);
    const long double exact_factor =
        std::ldexp(static_cast<long double>(multiplier.mantissa), multiplier.shift - 31);
    for (int32_t x : SomeIntegers(random)) {
      const long double exact = std::floor(exact_factor * x + 0.5L);
      const long double wanted = std::clamp<long double>(exact, kLeast, kMost);
      ASSERT_EQ(RescaleRoundingOnce(x, multiplier), static_cast<int32_t>(wanted))
          << x << " * " << real;
      // What a left shift does not push out differs by a step at most.
      if (multiplier.shift > 0) continue;
      ASSERT_LE(
          std::abs(int64_t{RescaleRoundingTwice(x, multiplier)} - static_cast<int64_t>(wanted)), 1);
    }
  }
}

TEST(FixedPoint, DividesAwayFromZero) {
  for (int exponent = 0; exponent <= 31; ++exponent) {
    std::mt19937 random(3);
    for (int32_t x : SomeIntegers(random)) {
      if (exponent == 0 && x == kLeast) continue;
      ASSERT_EQ(RoundingDivideByPowerOf2(x, exponent),
                static_cast<int32_t>(std::round(std::ldexp(static_cast<double>(x), -exponent))))
          << x << " / 2^" << exponent;
    }
  }
}

TEST(FixedPoint, PaddingCoversTheInput) {
  struct Case {
    int64_t in, filter, stride, dilation, same, before, after, valid;
  };
  const Case cases[] = {
      {224, 3, 2, 1, 112, 0, 1, 111}, {7, 3, 1, 1, 7, 1, 1, 5}, {5, 3, 2, 2, 3, 2, 2, 1},
      {4, 1, 2, 1, 2, 0, 0, 2},       {3, 5, 1, 1, 3, 2, 2, 0}, {1, 1, 1, 1, 1, 0, 0, 1},
  };
  for (const Case& c : cases) {
    const WindowGeometry same = SamePadding(c.in, c.filter, c.stride, c.dilation);
    EXPECT_EQ(same.out_elems, c.same);
    EXPECT_EQ(same.pad_before_elems, c.before);
    EXPECT_EQ(same.pad_after_elems, c.after);
    EXPECT_EQ(ValidPadding(c.in, c.filter, c.stride, c.dilation).out_elems, c.valid);
  }
}

TEST(FixedPoint, ActivationsCutTheRange) {
  struct Case {
    Activation activation;
    float scale;
    int32_t zero_point, min, max;
  };
  const Case cases[] = {
      {Activation::kNone, 0.1f, 5, -128, 127},    {Activation::kRelu, 0.1f, 5, 5, 127},
      {Activation::kRelu6, 0.1f, 5, 5, 65},       {Activation::kRelu6, 0.01f, -128, -128, 127},
      {Activation::kReluN1To1, 0.1f, 0, -10, 10}, {Activation::kReluN1To1, 0.001f, 0, -128, 127},
      {Activation::kRelu6, 1e-38f, 5, 5, 127},
  };
  for (const Case& c : cases) {
    const StoredRange range = ActivationRange(c.activation, c.scale, c.zero_point, -128, 127);
    EXPECT_EQ(range.min, c.min) << c.scale;
    EXPECT_EQ(range.max, c.max) << c.scale;
  }
}

template <typename T>
void ExpectTablesOfTheOracle() {
  const auto function = [](float x) { return std::tanh(x); };
  const auto ours = MakeTable<T>(0.05f, 3, 1.0f / 128, -2, function);
  const auto oracles = kernels::EightBitTable<T>::OfReal(
      {.scale = 0.05f, .zero_point = 3}, {.scale = 1.0f / 128, .zero_point = -2}, function);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(ours[i], oracles(static_cast<T>(i))) << i;
}

TEST(FixedPoint, TablesAreTheOracles) {
  ExpectTablesOfTheOracle<int8_t>();
  ExpectTablesOfTheOracle<uint8_t>();
  const auto nan = MakeTable<int8_t>(1, 0, 1, 7, [](float) { return std::nanf(""); });
  EXPECT_EQ(nan[0], 7);
}

}  // namespace
}  // namespace npukit
