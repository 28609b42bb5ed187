// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/sweep/round_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace npukit::tools {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(RoundMarks, OfALinearAxis) {
  EXPECT_THAT(RoundMarks(0, 100, false), ElementsAre(0, 50, 100));
  EXPECT_THAT(RoundMarks(13, 87, false), ElementsAre(20, 40, 60, 80));
  EXPECT_THAT(RoundMarks(1003, 1011, false), ElementsAre(1004, 1006, 1008, 1010));
  EXPECT_THAT(RoundMarks(-3, 4, false), ElementsAre(-2, 0, 2, 4));
  EXPECT_THAT(RoundMarks(1, 2, false).size(), testing::AllOf(testing::Ge(2u), testing::Le(7u)));
}

TEST(RoundMarks, OfALogarithmicAxis) {
  EXPECT_THAT(RoundMarks(3, 40, true), ElementsAre(5, 10, 20));
  EXPECT_THAT(RoundMarks(64, 65536, true), ElementsAre(100, 1000, 10000));
  EXPECT_THAT(RoundMarks(1e-9, 1e9, true),
              ElementsAre(DoubleEq(1e-9), DoubleEq(1e-6), DoubleEq(1e-3), DoubleEq(1),
                          DoubleEq(1e3), DoubleEq(1e6), DoubleEq(1e9)));
}

// A grid's costs may be any numbers, and their products infinite.
TEST(RoundMarks, ThereAreNoneWithoutStepsBetweenTheEnds) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const std::pair<double, double> ends[] = {
      {1, kInf}, {kInf, kInf}, {0, kLeast}, {kLeast, 3 * kLeast}, {1e17, 1e17 + 1}, {1, 1 + 1e-15}};
  for (const auto& [low, high] : ends) {
    for (const bool is_log : {false, true})
      EXPECT_THAT(RoundMarks(low, high, is_log), testing::IsEmpty()) << low << " to " << high;
  }
  EXPECT_THAT(RoundMarks(kLeast, 100, true), ElementsAre(0, 50, 100));
  EXPECT_FALSE(std::signbit(RoundMarks(0, 100, false)[0]));
  EXPECT_THAT(RoundMarks(0, 1e200, false), testing::SizeIs(testing::Ge(2)));
}

// Whatever the ends are: marks lie within, ascend, and are neither too few nor too many.
TEST(RoundMarks, OfAnyAxisAreAFew) {
  for (double low = 0.013; low < 1e7; low *= 3.7) {
    for (double factor = 1.0001; factor < 1e6; factor *= 2.3) {
      for (const bool is_log : {false, true}) {
        const double high = low * factor;
        const std::vector<double> marks = RoundMarks(low, high, is_log);
        ASSERT_GE(marks.size(), 2u) << low << " to " << high;
        ASSERT_LE(marks.size(), 8u) << low << " to " << high;
        EXPECT_GE(marks.front(), low * (1 - 1e-6));
        EXPECT_LE(marks.back(), high * (1 + 1e-6));
        for (size_t i = 1; i < marks.size(); ++i) EXPECT_LT(marks[i - 1], marks[i]);
      }
    }
  }
}

}  // namespace
}  // namespace npukit::tools
