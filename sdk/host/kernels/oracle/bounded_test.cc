// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/oracle/bounded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace npukit::kernels {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Bounded SumOf(const std::vector<double>& terms) {
  BoundedSum sum;
  for (double term : terms) sum.Add({term, 0});
  return sum.Result(1);
}

// Summed up in two halves, these are inf - inf.
TEST(BoundedClamp, NarrowsWhatIsKnown) {
  EXPECT_EQ(Clamp({5, 2}, 0, 6).bound, 2) << "3 is 2 away, what is above 6 is 6";
  EXPECT_EQ(Clamp({9, 1}, 0, 6).bound, 0);
}

// What may overflow, less itself, may be NaN; no clamp makes a number of that.
TEST(BoundedClamp, LeavesWhatMayBeNanOpen) {
  const Bounded open = {kLargestFloat, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(std::isinf(Clamp(Sub(open, open), -1, 1).bound));
}

TEST(BoundedSum, PartialSumsOfBothSignsThatOverflowMayMeet) {
  const Bounded sum = SumOf({3e38, 3e38, 3e38, -2e38, -2e38});
  EXPECT_TRUE(std::isnan(sum.value));
  EXPECT_EQ(sum.bound, kInfinity);
  const Bounded infinite = SumOf({kInfinity, -2e38, -2e38});
  EXPECT_TRUE(std::isnan(infinite.value));
  EXPECT_EQ(infinite.bound, kInfinity);
}

TEST(BoundedSum, ATermThatMayBeAnythingLeavesTheSumOpen) {
  BoundedSum sum;
  sum.Add({3e38, kInfinity});
  sum.Add({3e38, 0});
  EXPECT_TRUE(std::isnan(sum.Result(1).value));
  EXPECT_EQ(sum.Result(1).bound, kInfinity);
}

TEST(BoundedSum, OfOneSignTheSumSaysWhichInfinity) {
  EXPECT_DOUBLE_EQ(SumOf({3e38, 3e38, -1e38}).value, 5e38);
  EXPECT_EQ(SumOf({3e38, 3e38, -1e38}).bound, kInfinity);
  EXPECT_EQ(SumOf({kInfinity, -1e38}).value, kInfinity);
  EXPECT_EQ(SumOf({kInfinity, -1e38}).bound, 0);
  EXPECT_TRUE(std::isnan(SumOf({kInfinity, -kInfinity}).value));
  EXPECT_EQ(SumOf({kInfinity, -kInfinity}).bound, 0);
}

}  // namespace
}  // namespace npukit::kernels
