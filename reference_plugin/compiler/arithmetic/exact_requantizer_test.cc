// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/exact_requantizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace acme::compiler {
namespace {

int32_t Reference(int64_t sum, double real, int32_t zero_point, const ClampRange& clamp) {
  const auto scaled = static_cast<int32_t>(std::round(static_cast<double>(sum) * real));
  return std::clamp(scaled + zero_point, clamp.lo, clamp.hi);
}

int32_t OnNpu(int64_t sum, const FixedPoint& scale, int32_t zero_point, const ClampRange& clamp) {
  const int total = 31 - scale.shift;
  const auto scaled =
      static_cast<int32_t>((sum * scale.mult + (int64_t{1} << (total - 1))) >> total);
  return std::clamp(scaled + zero_point, clamp.lo, clamp.hi);
}

constexpr ClampRange kInt8 = {-128, 127};

TEST(ExactRequantizerTest, EverySumOfFriendlyAndTieProneScales) {
  for (double real : {0.0025, 1.0 / 128, 1.0 / 3, 0.75, 1.0, 0.5,
                      double{0.02f} * double{0.01f} / double{0.08f}}) {
    constexpr int64_t kMaxSum = 200000;
    const auto scale = FindExactRequantizer(real, 3, kInt8, kMaxSum);
    ASSERT_TRUE(scale) << real;
    for (int64_t sum = -kMaxSum; sum <= kMaxSum; ++sum) {
      ASSERT_EQ(OnNpu(sum, *scale, 3, kInt8), Reference(sum, real, 3, kInt8))
          << sum << " * " << real;
    }
  }
}

TEST(ExactRequantizerTest, RandomScalesOverTheWholeRange) {
  std::mt19937 random(5);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const double real =
        std::ldexp(static_cast<double>(random()) + 1, -static_cast<int>(random() % 14) - 32);
    const auto zero_point = static_cast<int32_t>(random() % 256) - 128;
    const auto scale = FindExactRequantizer(real, zero_point, kInt8, 1 << 29);
    if (!scale) continue;
    ++found;
    for (int j = 0; j < 2000; ++j) {
      // Sums near the results' range, where steps are.
      const auto reach = static_cast<int64_t>(std::min(400.0 / real, std::ldexp(1.0, 29)));
      const int64_t sum =
          static_cast<int64_t>(random() % static_cast<uint64_t>(2 * reach + 1)) - reach;
      ASSERT_EQ(OnNpu(sum, *scale, zero_point, kInt8), Reference(sum, real, zero_point, kInt8))
          << sum << " * " << real;
    }
  }
  EXPECT_EQ(found, 300);
}

TEST(ExactRequantizerTest, RefusesWhatInt32CanNotHold) {
  EXPECT_FALSE(FindExactRequantizer(4.0, 0, kInt8, int64_t{1} << 31));
  EXPECT_FALSE(FindExactRequantizer(0.0, 0, kInt8, 1000));
}

}  // namespace
}  // namespace acme::compiler
