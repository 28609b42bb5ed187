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
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Bounded SumOf(const std::vector<double>& terms) {
  BoundedSum sum;
  for (double term : terms) sum.Add({term, 0});
  return sum.Result(1);
}

TEST(BoundedClamp, NarrowsWhatIsKnown) {
  EXPECT_EQ(Clamp({5, 2}, 0, 6).bound, 2) << "3 is 2 away, what is above 6 is 6";
  EXPECT_EQ(Clamp({9, 1}, 0, 6).bound, 0);
}

// What may overflow, less itself, may be NaN; no clamp makes a number of that.
TEST(BoundedClamp, LeavesWhatMayBeNanOpen) {
  const Bounded open = {kLargestFloat, kInfinity};
  EXPECT_TRUE(std::isinf(Clamp(Sub(open, open), -1, 1).bound));
}

// Summed up in two halves, these are inf - inf.
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

// One term is added to nothing, and rounded no more.
TEST(BoundedSum, OfOneTermIsAsOpenAsThat) {
  BoundedSum sum;
  sum.Add({0.2, kInfinity});
  EXPECT_EQ(sum.Result(0).value, 0.2);
  EXPECT_EQ(sum.Result(0).bound, kInfinity);
  EXPECT_EQ(Div(sum.Result(0), {1, 0}).bound, kInfinity);
}

TEST(BoundedProduct, OfWhatMayBeInfiniteAndZeroMayBeNan) {
  EXPECT_EQ(ExactProduct({5, kInfinity}, {0, 0}).bound, kInfinity);
  EXPECT_EQ(ExactProduct({kNotANumber, kInfinity}, {1, 0.5}).bound, kInfinity);
  EXPECT_TRUE(std::isnan(ExactProduct({kNotANumber, 0}, {1, 0.5}).value));
  EXPECT_EQ(ExactProduct({kNotANumber, 0}, {1, 0.5}).bound, 0) << "for certain";
}

// Beside numbers of which some error is known, too.
TEST(BoundedNan, IsCertainInAllThatIsComputedOfIt) {
  constexpr Bounded kNan = {kNotANumber, 0};
  constexpr Bounded kRounded = {2, 0.5};
  BoundedSum sum;
  sum.Add(kRounded);
  sum.Add(kNan);
  for (const Bounded& made : {Add(kRounded, kNan), Sub(kNan, kRounded), Sub(kRounded, kNan),
                              Div(kNan, kRounded), Div(kRounded, kNan), sum.Result(0)}) {
    EXPECT_TRUE(std::isnan(made.value));
    EXPECT_EQ(made.bound, 0);
  }
  EXPECT_EQ(Add({kNotANumber, kInfinity}, kRounded).bound, kInfinity) << "may be a number";
}

TEST(BoundedMonotone, LeavesWhatMayBeNanOpen) {
  const Bounded y = Monotone([](double x) { return std::tanh(x); }, {1, kInfinity}, 1);
  EXPECT_EQ(y.bound, kInfinity);
}

TEST(BoundedMonotone, BeyondTheLargestFloatIsLargeUnlessItsOperandSaysOtherwise) {
  const auto e_to_the = [](Bounded x) {
    return Monotone([](double power) { return std::exp(power); }, x, 1);
  };
  EXPECT_EQ(e_to_the({109, 0}).value, kInfinity);
  EXPECT_EQ(e_to_the({88.8, 0.2}).value, std::exp(88.8)) << "no infinity for certain";
  EXPECT_EQ(e_to_the({88.8, 0.2}).bound, kInfinity);
  for (const double doubt : {80.0, 1e4}) {
    EXPECT_TRUE(std::isnan(e_to_the({109, doubt}).value)) << "e^29, or an infinity";
    EXPECT_EQ(e_to_the({109, doubt}).bound, kInfinity);
  }
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
