// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace acme::compiler {
namespace {

// (-1)^sign * 1.fraction * 2^(exponent - 15), or 0.fraction * 2^-14 where the exponent is 0.
TEST(HalfToFloat, IsExactForEveryHalf) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float widened = HalfToFloat(static_cast<uint16_t>(bits));
    const int exponent = static_cast<int>(bits >> 10 & 0x1F);
    const int fraction = static_cast<int>(bits & 0x3FF);
    ASSERT_EQ(std::signbit(widened), bits >= 0x8000) << bits;
    if (exponent == 0x1F) {
      ASSERT_TRUE(fraction == 0 ? std::isinf(widened) : std::isnan(widened)) << bits;
      continue;
    }
    const int whole = exponent == 0 ? fraction : fraction + 0x400;
    ASSERT_EQ(std::fabs(widened), std::ldexp(whole, std::max(exponent, 1) - 25)) << bits;
  }
}

}  // namespace
}  // namespace acme::compiler
