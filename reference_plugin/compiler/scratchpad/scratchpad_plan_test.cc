// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "reference_plugin/compiler/tests/two_layers.h"

namespace acme::compiler {
namespace {

const std::vector<TaskCost> kCosts = TwoLayersCosts();
const std::vector<ScratchpadBuffer> kBuffers = {
    {kFirstWeights, 256}, {kSecondWeights, 256}, {kResult, 64}};

Hardware Chip(int64_t scratchpad_bytes, int64_t queue_depth = 32) {
  Hardware hardware;
  hardware.scratchpad_bytes = scratchpad_bytes;
  hardware.queue_depth = queue_depth;
  return hardware;
}

BufferUses UsesOf(const std::vector<TouchingTask>& tasks,
                  const std::vector<ScratchpadBuffer>& buffers) {
  return FindBufferUses(TasksOf(tasks), FootprintsOf(tasks), buffers);
}

// That each takes so many cycles of its engine.
std::vector<TaskCost> CostsOf(const std::vector<TouchingTask>& tasks, int64_t cycles) {
  std::vector<TaskCost> costs;
  for (const TouchingTask& one : tasks) costs.push_back({cycles, 0, one.task.engine()});
  return costs;
}

TEST(ScratchpadPlanTest, PrefetchesAsEarlyAsThereIsRoom) {
  const std::vector<TouchingTask> tasks = TwoLayers();
  const Schedule schedule = PlanSchedule(kCosts, FindDependencies(FootprintsOf(tasks)), 8);
  const auto plan = PlanScratchpad(UsesOf(tasks, kBuffers), kCosts, schedule, kBuffers, Chip(1024));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->order, (std::vector<uint32_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(plan->offsets, (std::vector<int64_t>{64, 320, 0}));
  // Room for one buffer of weights: the second waits for the first.
  const auto small = PlanScratchpad(UsesOf(tasks, kBuffers), kCosts, schedule, kBuffers, Chip(320));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->order, (std::vector<uint32_t>{0, 1, 3, 4, 2, 5}));
  EXPECT_EQ(small->offsets, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_FALSE(PlanScratchpad(UsesOf(tasks, kBuffers), kCosts, schedule, kBuffers, Chip(192)));
}

// Two layers' weights, and between them a load that waits for a result. While the first weights come
// the engine has nothing better to do than the second; when they take so long that the load could
// begin before, it is not kept waiting for what is needed after it.
TEST(ScratchpadPlanTest, LoadsThatWaitForResultsKeepTheirTurn) {
  const auto load = [](int64_t to) {
    return Touching(isa::LdCopy{.spm = static_cast<uint32_t>(to), .bytes = 64},
                    {DramRange(0, to, 64)}, {ScratchpadRange(to, 64)});
  };
  std::vector<ScratchpadBuffer> buffers;
  std::vector<int64_t> at;
  for (int i = 0; i < 3; ++i) at.push_back(AddBuffer(64, buffers));
  const auto use = [&](size_t buffer) {
    return Touching(isa::VNop{}, {ScratchpadRange(at[buffer], 64)}, {});
  };
  // 0 and 4 are prefetches, 2 is the load that waits for 1.
  const std::vector<TouchingTask> tasks = {load(at[0]), use(0),      load(at[1]),
                                           use(1),      load(at[2]), use(2)};
  const Schedule schedule = {.order = {1, 2, 3, 5},
                             .begin_cycle = {0, 40, 60, 70},
                             .prefetches = {0, 4},
                             .first_use = {0, 3}};
  for (const int64_t first_cycles : {30, 50}) {
    std::vector<TaskCost> costs = CostsOf(tasks, 1);
    costs[0].busy_cycles = first_cycles;
    const auto plan = PlanScratchpad(UsesOf(tasks, buffers), costs, schedule, buffers, Chip(1024));
    ASSERT_TRUE(plan);
    const std::vector<uint32_t> at_once = {0, 4, 1, 2, 3, 5};
    const std::vector<uint32_t> behind = {0, 1, 2, 4, 3, 5};
    EXPECT_EQ(plan->order, first_cycles == 30 ? at_once : behind);
  }
}

// Four loads, which take 10 cycles each, for the last of five tasks of 10 cycles. A load that finds
// the queue full would keep the tasks behind it waiting.
// Of a buffer's halves one is read. The other's load comes while the buffer is there, too, however late
// it would be missed: never.
TEST(ScratchpadPlanTest, WhatNobodyReadsComesBeforeItsBufferIsAnothers) {
  std::vector<ScratchpadBuffer> buffers;
  const int64_t at = AddBuffer(128, buffers);
  const int64_t later = AddBuffer(128, buffers);
  const auto load = [](int64_t to) {
    return Touching(isa::LdCopy{.spm = static_cast<uint32_t>(to), .bytes = 64},
                    {DramRange(0, to, 64)}, {ScratchpadRange(to, 64)});
  };
  const auto use = [](int64_t from) {
    return Touching(isa::VNop{}, {ScratchpadRange(from, 64)}, {});
  };
  const std::vector<TouchingTask> tasks = {load(at), load(at + 64), use(at + 64), load(later),
                                           use(later)};
  const std::vector<TaskCost> costs = CostsOf(tasks, 10);
  const Schedule schedule = {
      .order = {2, 4}, .begin_cycle = {20, 40}, .prefetches = {0, 1, 3}, .first_use = {2, 0, 1}};
  const auto plan = PlanScratchpad(UsesOf(tasks, buffers), costs, schedule, buffers, Chip(128));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->order, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(ScratchpadPlanTest, PrefetchesWaitForRoomInTheQueue) {
  std::vector<ScratchpadBuffer> buffers;
  std::vector<TouchingTask> tasks;
  Schedule schedule;
  std::vector<MemoryRange> loaded;
  for (uint32_t i = 0; i < 4; ++i) {
    const int64_t to = AddBuffer(64, buffers);
    loaded.push_back(ScratchpadRange(to, 64));
    tasks.push_back(Touching(isa::LdCopy{.spm = static_cast<uint32_t>(to), .bytes = 64},
                             {DramRange(0, to, 64)}, {loaded.back()}));
    schedule.prefetches.push_back(i);
    schedule.first_use.push_back(4);
  }
  for (uint32_t i = 0; i < 5; ++i) {
    tasks.push_back(Touching(isa::VNop{}, i == 4 ? loaded : std::vector<MemoryRange>{}, {}));
    schedule.order.push_back(4 + i);
    schedule.begin_cycle.push_back(int64_t{i} * 10);
  }
  const std::vector<TaskCost> costs = CostsOf(tasks, 10);
  const auto order = [&](int64_t queue_depth) {
    const auto plan =
        PlanScratchpad(UsesOf(tasks, buffers), costs, schedule, buffers, Chip(1024, queue_depth));
    return plan ? plan->order : std::vector<uint32_t>{};
  };
  EXPECT_EQ(order(4), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(order(2), (std::vector<uint32_t>{0, 1, 2, 4, 3, 5, 6, 7, 8}));
  EXPECT_EQ(order(1), (std::vector<uint32_t>{0, 1, 4, 2, 5, 3, 6, 7, 8}));
}

// Buffers of so many bytes, used from one position of the program to another, both included.
struct Life {
  int64_t bytes;
  int first;
  int last;
};

struct LifetimeCase {
  const char* name;
  std::vector<Life> buffers;
  int64_t scratchpad_bytes;
  std::optional<std::vector<int64_t>> offsets;  // nothing: they do not fit
};

class ScratchpadLifetimes : public testing::TestWithParam<LifetimeCase> {};

TEST_P(ScratchpadLifetimes, GetTheseOffsets) {
  std::vector<ScratchpadBuffer> buffers;
  std::vector<TouchingTask> tasks;
  for (const Life& life : GetParam().buffers) {
    const int64_t begin = AddBuffer(life.bytes, buffers);
    if (life.last >= static_cast<int>(tasks.size()))
      tasks.resize(static_cast<size_t>(life.last) + 1, Touching(isa::VNop{}, {}, {}));
    for (const int position : {life.first, life.last}) {
      if (position >= 0) {
        tasks[static_cast<size_t>(position)].writes.push_back(ScratchpadRange(begin, life.bytes));
      }
    }
  }
  Schedule schedule;
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    schedule.order.push_back(i);
    schedule.begin_cycle.push_back(i);
  }
  const std::vector<TaskCost> costs = CostsOf(tasks, 1);
  const auto plan = PlanScratchpad(UsesOf(tasks, buffers), costs, schedule, buffers,
                                   Chip(GetParam().scratchpad_bytes));
  ASSERT_EQ(plan.has_value(), GetParam().offsets.has_value());
  if (plan) {
    EXPECT_EQ(plan->offsets, *GetParam().offsets);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ScratchpadLifetimes,
    testing::ValuesIn(std::vector<LifetimeCase>{
        {"None", {}, 1024, {{}}},
        // With room for all, no memory is used twice: the largest first, one behind the other.
        {"RoomForAll", {{64, 0, 0}, {128, 1, 1}, {64, 2, 2}}, 256, {{128, 0, 192}}},
        {"SizesAreRoundedUp", {{1, 0, 0}, {65, 0, 0}}, 192, {{128, 0}}},
        // One byte less than 192 are two units of 64.
        {"OneByteTooFew", {{1, 0, 0}, {65, 0, 0}}, 191, std::nullopt},
        {"OneAfterTheOther", {{128, 0, 1}, {128, 2, 3}}, 128, {{0, 0}}},
        {"MeetingAtOneTaskIsTogether", {{128, 0, 2}, {128, 2, 3}}, 192, std::nullopt},
        // Both large ones at 0, one after the other; the small one lives with each.
        {"SmallBesideTwoLarge", {{128, 0, 1}, {64, 1, 2}, {128, 2, 3}}, 192, {{0, 128, 0}}},
        {"ExactFitOneUnitLess", {{128, 0, 1}, {64, 1, 2}, {128, 2, 3}}, 191, std::nullopt},
        // 192 at 0 while tasks 0 and 1 run; the 128 later at 0; the 64 of task 2 beside it.
        {"GapsAreFilledFromBelow",
         {{192, 0, 1}, {64, 1, 2}, {128, 2, 3}, {64, 3, 3}},
         256,
         {{0, 192, 0, 128}}},
        {"LargerThanAll", {{320, 0, 0}}, 256, std::nullopt},
        {"NobodyUsesIt", {{64, -1, -1}, {64, 0, 0}}, 128, {{-1, 0}}},
    }),
    [](const auto& info) { return info.param.name; });

TEST(ScratchpadPlanTest, RelocatesAddressesInsideBuffers) {
  Task task = {.work = isa::VDrain{.dst = kResult + 8, .params = kSecondWeights + 16}};
  task.config = {isa::VParams{.addr = 0}};
  task.weights = isa::MLoadW{.addr = kFirstWeights};
  Relocate(task, kBuffers, std::vector<int64_t>{1000, 2000, 3000});
  EXPECT_EQ(std::get<isa::VDrain>(task.work).dst, 3008u);
  EXPECT_EQ(std::get<isa::VDrain>(task.work).params, 2016u);
  EXPECT_EQ(std::get<isa::VParams>(task.config[0]).addr, 0u);
  EXPECT_EQ(task.weights->addr, 1000u);
}

// Of buffers beyond 2^32 instructions name the address modulo 2^32; a value's stands below them all.
TEST(ScratchpadPlanTest, RelocatesAddressesBeyondAField) {
  constexpr int64_t kPeriod = SymbolicAddresses::kPeriod;
  const std::vector<ScratchpadBuffer> buffers = {{64, 64},
                                                 {kPeriod - 256, 128},
                                                 {kPeriod + 192, 128},
                                                 {3 * kPeriod - 512, 64},
                                                 {3 * kPeriod + 192, 64}};
  const std::vector<int64_t> offsets = {1000, 2000, 3000, 4000, 5000};
  const auto relocated = [&](int64_t symbolic, int64_t end) {
    Task task = {.work = isa::VDrain{.dst = U(symbolic)}};
    task.symbols = {.lasting_end = 192, .end = end};
    Relocate(task, buffers, offsets);
    EXPECT_EQ(task.symbols.end, 0) << "it has real addresses now";
    return std::get<isa::VDrain>(task.work).dst;
  };
  EXPECT_EQ(relocated(70, kPeriod), 1006u);
  EXPECT_EQ(relocated(70, 3 * kPeriod + 512), 1006u);
  EXPECT_EQ(relocated(kPeriod - 250, kPeriod), 2006u);
  EXPECT_EQ(relocated(kPeriod - 250, kPeriod + 512), 2006u)
      << "made when the next period had begun";
  EXPECT_EQ(relocated(kPeriod + 200, kPeriod + 512), 3008u);
  EXPECT_EQ(relocated(3 * kPeriod - 510, 3 * kPeriod + 512), 4002u);
  EXPECT_EQ(relocated(3 * kPeriod + 200, 3 * kPeriod + 512), 5008u);
}

// One buffer of weights and the result at a time.
TEST(PeakBytes, CountsBuffersAsLongAsTheyAreUsed) {
  EXPECT_EQ(PeakBytes(UsesOf(TwoLayers(), kBuffers), kBuffers), 256 + 64);
  EXPECT_EQ(PeakBytes(UsesOf({}, kBuffers), kBuffers), 0);
}

}  // namespace
}  // namespace acme::compiler
