// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/schedule.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/tests/two_layers.h"

namespace acme::compiler {
namespace {

const std::vector<TaskCost> kCosts = TwoLayersCosts();

Schedule PlanTwoLayers(size_t window) {
  return PlanSchedule(kCosts, FindDependencies(FootprintsOf(TwoLayers())), window);
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
  const std::vector<TouchingTask> tasks = TwoLayers();
  EXPECT_EQ(EstimateCycles(kCosts, FindConflicts(TasksOf(tasks), FootprintsOf(tasks)), 10), 290);
  EXPECT_EQ(EstimateCycles(kCosts, std::vector<EnginePositions>(tasks.size()), 0), 262)
      << "the streams alone, if nothing waited";
}

// A load and a store with nothing else to wait for.
std::vector<TaskCost> Transfers(int64_t load_dram_cycles, int64_t store_dram_cycles) {
  return {{100, 0, Engine::kLoad, load_dram_cycles}, {100, 0, Engine::kStore, store_dram_cycles}};
}

TEST(ScheduleTest, LoadsAndStoresShareTheDram) {
  const std::vector<EnginePositions> free(2);
  EXPECT_EQ(EstimateCycles(Transfers(100, 100), free, 0), 200);
  EXPECT_EQ(EstimateCycles(Transfers(100, 50), free, 0), 150) << "the store needs half of it";
  EXPECT_EQ(EstimateCycles(Transfers(50, 50), free, 0), 100) << "there is enough for both";
  EXPECT_EQ(EstimateCycles(Transfers(0, 100), free, 0), 100);
}

// The store meets the second load, too.
TEST(ScheduleTest, ATransferWaitsForAllThatItMeets) {
  const std::vector<TaskCost> costs = {
      {100, 0, Engine::kLoad, 100}, {100, 0, Engine::kLoad, 100}, {150, 0, Engine::kStore, 150}};
  EXPECT_EQ(EstimateCycles(costs, std::vector<EnginePositions>(3), 0), 350);
}

TEST(ScheduleTest, NoOrderTakesLessThanTheBusiestEngine) { EXPECT_EQ(BusyCycles(kCosts), 200); }

TEST(ScheduleTest, NoOrderTakesLessThanTheDram) { EXPECT_EQ(BusyCycles(Transfers(100, 70)), 170); }

}  // namespace
}  // namespace acme::compiler
