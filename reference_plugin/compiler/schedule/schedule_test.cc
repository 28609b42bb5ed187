// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/schedule.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/tests/two_layers.h"

namespace acme::compiler {
namespace {

const std::vector<TaskCost> kCosts = TwoLayersCosts();

Schedule PlanTwoLayers(size_t window) {
  const std::vector<Task> tasks = TwoLayers();
  return PlanSchedule(kCosts, FindDependencies(tasks), window);
}

TEST(ScheduleTest, TakesWhatCanBeginFirst) {
  const Schedule schedule = PlanTwoLayers(8);
  EXPECT_EQ(schedule.prefetches, (std::vector<uint32_t>{0, 3}));
  // The second stream (4) begins when the first ends, before the first's drain can.
  EXPECT_EQ(schedule.order, (std::vector<uint32_t>{1, 4, 2, 5}));
  EXPECT_EQ(schedule.begin_cycle, (std::vector<int64_t>{18, 118, 182, 204}));
  EXPECT_EQ(schedule.first_use, (std::vector<uint32_t>{0, 1}));
}

TEST(ScheduleTest, AWindowOfOneKeepsTheOrder) {
  const Schedule schedule = PlanTwoLayers(1);
  EXPECT_EQ(schedule.order, (std::vector<uint32_t>{1, 2, 4, 5}));
}

// Loads end at 16 and 32 and bring their bytes 10 later; the first stream begins at 28, its sums are
// there at 190, its drain begins at 192 and ends at 212, the store at 218.
TEST(ScheduleTest, EstimatesTheCyclesOfAnOrder) {
  const std::vector<Task> tasks = TwoLayers();
  EXPECT_EQ(EstimateCycles(kCosts, FindConflicts(tasks), 10), 290);
  EXPECT_EQ(EstimateCycles(kCosts, std::vector<EnginePositions>(tasks.size()), 0), 262)
      << "the streams alone, if nothing waited";
}

TEST(ScheduleTest, NoOrderTakesLessThanTheBusiestEngine) { EXPECT_EQ(BusyCycles(kCosts), 200); }

}  // namespace
}  // namespace acme::compiler
