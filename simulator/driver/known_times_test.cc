// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/known_times.h"

#include <gtest/gtest.h>

#include <utility>

namespace acme {
namespace {

RunResult Took(int64_t cycles) {
  RunResult result;
  result.counters.cycles = cycles;
  result.trace.emplace_back();
  return result;
}

RunResult WithProfile(RunResult result) {
  result.profile.push_back({.handle = 7});
  return result;
}

TEST(KnownTimesTest, OfEachProgram) {
  KnownTimes times;
  EXPECT_FALSE(times.Find(0, {}));
  times.Keep(0, {}, Took(100));
  times.Keep(3, {}, Took(300));
  ASSERT_TRUE(times.Find(0, {}));
  EXPECT_EQ(times.Find(0, {})->counters.cycles, 100);
  EXPECT_EQ(times.Find(3, {})->counters.cycles, 300);
  EXPECT_FALSE(times.Find(1, {}));
  EXPECT_TRUE(times.Find(0, {})->trace.empty());
}

TEST(KnownTimesTest, WhatNeedsTheScheduleIsSimulated) {
  KnownTimes times;
  times.Keep(0, {.profile = true, .trace = true}, WithProfile(Took(100)));
  EXPECT_FALSE(times.Find(0, {.trace = true}));
  EXPECT_FALSE(times.Find(0, {.check_races = true}));
  EXPECT_FALSE(times.Find(0, {.cycle_budget = 99}));
  EXPECT_TRUE(times.Find(0, {.cycle_budget = 100}));
}

TEST(KnownTimesTest, AProfileIsOfARunWithOne) {
  KnownTimes times;
  times.Keep(0, {}, Took(100));
  EXPECT_FALSE(times.Find(0, {.profile = true}));
  times.Keep(0, {.profile = true}, WithProfile(Took(100)));
  ASSERT_TRUE(times.Find(0, {.profile = true}));
  EXPECT_EQ(times.Find(0, {.profile = true})->profile.size(), 1u);
  EXPECT_TRUE(times.Find(0, {})->profile.empty()) << "nobody asked";
  times.Keep(0, {}, Took(100));
  EXPECT_TRUE(times.Find(0, {.profile = true})) << "lost by a run without";
}

}  // namespace
}  // namespace acme
