// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/schedule.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

Task Make(AnyInstr work, std::vector<Region> reads, std::vector<Region> writes) {
  Task task;
  task.work = std::move(work);
  task.reads = std::move(reads);
  task.writes = std::move(writes);
  return task;
}

constexpr int64_t kA = 64, kB = 64 + 512, kC = 64 + 1024;

// Two layers, each: load weights, matrix on them, vector on the sums; the second one's matrix does
// not need the first one's vector.
std::vector<Task> TwoLayers() {
  return {
      Make(isa::LdCopy{.spm = kA, .bytes = 256}, {DramRegion(0, 0, 256)},
           {ScratchpadRegion(kA, 256)}),
      Make(isa::MStream{.addr = kA}, {ScratchpadRegion(kA, 256)}, {AccumulatorRegion(0, 4)}),
      Make(isa::VDrain{.acc = 0, .dst = kC}, {AccumulatorRegion(0, 4)}, {ScratchpadRegion(kC, 64)}),
      Make(isa::LdCopy{.spm = kB, .bytes = 256}, {DramRegion(0, 256, 256)},
           {ScratchpadRegion(kB, 256)}),
      Make(isa::MStream{.addr = kB}, {ScratchpadRegion(kB, 256)}, {AccumulatorRegion(4, 4)}),
      Make(isa::StCopy{.spm = kC, .bytes = 64}, {ScratchpadRegion(kC, 64)}, {DramRegion(2, 0, 64)}),
  };
}

const std::vector<TaskCost> kCosts = {{16, 0}, {100, 62}, {20, 0}, {16, 0}, {100, 62}, {4, 0}};

TEST(ScheduleTest, TakesWhatCanBeginFirst) {
  const Schedule schedule = PlanSchedule(TwoLayers(), kCosts, 8);
  EXPECT_EQ(schedule.prefetches, (std::vector<uint32_t>{0, 3}));
  // The second stream (4) begins when the first ends, before the first's drain can.
  EXPECT_EQ(schedule.order, (std::vector<uint32_t>{1, 4, 2, 5}));
  EXPECT_EQ(schedule.begin_cycle, (std::vector<int64_t>{18, 118, 182, 204}));
  EXPECT_EQ(schedule.first_use, (std::vector<uint32_t>{0, 1}));
}

TEST(ScheduleTest, AWindowOfOneKeepsTheOrder) {
  const Schedule schedule = PlanSchedule(TwoLayers(), kCosts, 1);
  EXPECT_EQ(schedule.order, (std::vector<uint32_t>{1, 2, 4, 5}));
}

}  // namespace
}  // namespace acme::compiler
