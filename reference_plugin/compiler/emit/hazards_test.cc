// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/hazards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <utility>

#include "reference_plugin/compiler/emit/nop.h"
#include "reference_plugin/compiler/tasks/weight_loads.h"
#include "reference_plugin/compiler/tests/touching_task.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TouchingTask Of(Engine engine, std::vector<MemoryRange> reads, std::vector<MemoryRange> writes) {
  return Touching(NopOf(engine), std::move(reads), std::move(writes));
}

std::vector<TaskSync> Sync(const std::vector<TouchingTask>& touching) {
  const std::vector<Task> tasks = TasksOf(touching);
  return PlanSync(tasks, FindConflicts(tasks, FootprintsOf(touching)));
}

constexpr uint8_t kLoadToVector = PairSemaphore(Engine::kLoad, Engine::kVector);
constexpr uint8_t kVectorToLoad = PairSemaphore(Engine::kVector, Engine::kLoad);
constexpr uint8_t kVectorToStore = PairSemaphore(Engine::kVector, Engine::kStore);

TEST(PairSemaphoreTest, EveryPairHasItsOwn) {
  std::vector<uint8_t> seen;
  for (int from = 1; from < kEngineCount; ++from) {
    for (int to = 1; to < kEngineCount; ++to) {
      seen.push_back(PairSemaphore(static_cast<Engine>(from), static_cast<Engine>(to)));
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_GE(seen.front(), 1);
  EXPECT_LT(seen.back(), kSemaphoreCount);
}

TEST(PlanSyncTest, ReaderWaitsForWriter) {
  const std::vector<TouchingTask> tasks = {Of(Engine::kLoad, {}, {ScratchpadRange(0, 64)}),
                                           Of(Engine::kVector, {ScratchpadRange(32, 64)}, {})};
  EXPECT_THAT(Sync(tasks),
              ElementsAre(TaskSync{{}, {kLoadToVector}}, TaskSync{{kLoadToVector}, {}}));
}

TEST(PlanSyncTest, DisjointRangesAndOneEngineNeedNoOrder) {
  const std::vector<TouchingTask> tasks = {
      Of(Engine::kLoad, {}, {ScratchpadRange(0, 64)}),
      Of(Engine::kVector, {ScratchpadRange(64, 64)}, {ScratchpadRange(128, 64)}),
      Of(Engine::kVector, {ScratchpadRange(128, 64)}, {}),
      Of(Engine::kStore, {AccumulatorRange(0, 64)}, {})};
  EXPECT_THAT(Sync(tasks), ElementsAre(TaskSync{}, TaskSync{}, TaskSync{}, TaskSync{}));
}

TEST(PlanSyncTest, WriterWaitsForReaderOfWhatItOverwrites) {
  const std::vector<TouchingTask> tasks = {Of(Engine::kLoad, {}, {ScratchpadRange(0, 64)}),
                                           Of(Engine::kVector, {ScratchpadRange(0, 64)}, {}),
                                           Of(Engine::kLoad, {}, {ScratchpadRange(0, 64)})};
  EXPECT_THAT(Sync(tasks)[2].waits, ElementsAre(kVectorToLoad));
}

TEST(PlanSyncTest, WhatAnotherWaitImpliesIsLeftOut) {
  // The store waits for the vector task, which waited for the load.
  const std::vector<TouchingTask> tasks = {
      Of(Engine::kLoad, {}, {ScratchpadRange(0, 64)}),
      Of(Engine::kVector, {ScratchpadRange(0, 64)}, {ScratchpadRange(64, 64)}),
      Of(Engine::kVector, {ScratchpadRange(0, 64)}, {}),
      Of(Engine::kStore, {ScratchpadRange(64, 64)}, {DramRange(2, 0, 64)})};
  const std::vector<TaskSync> syncs = Sync(tasks);
  EXPECT_THAT(syncs[1].waits, ElementsAre(kLoadToVector));
  EXPECT_THAT(syncs[2].waits, IsEmpty());
  EXPECT_THAT(syncs[3].waits, ElementsAre(kVectorToStore));
  EXPECT_THAT(syncs[0].posts, ElementsAre(kLoadToVector));
}

// The image waits for the vector engine, the weights do not.
TEST(PlanSyncTest, WeightsWaitForTheirLoadAlone) {
  std::vector<Task> apart;
  std::vector<TaskCost> costs;
  AppendApart({.weights = isa::MLoadW{}, .work = isa::MStream{}}, {}, apart, costs);
  ASSERT_EQ(apart.size(), 2U);
  const std::vector<TouchingTask> tasks = {Of(Engine::kLoad, {}, {ScratchpadRange(64, 16)}),
                                           Of(Engine::kVector, {}, {ScratchpadRange(128, 32)}),
                                           {apart[0], {ScratchpadRange(64, 16)}, {}},
                                           {apart[1], {ScratchpadRange(128, 32)}, {}}};
  const std::vector<TaskSync> syncs = Sync(tasks);
  EXPECT_THAT(syncs[2].waits, ElementsAre(PairSemaphore(Engine::kLoad, Engine::kMatrix)));
  EXPECT_THAT(syncs[3].waits, ElementsAre(PairSemaphore(Engine::kVector, Engine::kMatrix)));
}

// A producer that could fill a semaphore beyond what it holds, if the consumer were slow.
TEST(PlanSyncTest, ProducersDoNotRunTooFarAhead) {
  std::vector<TouchingTask> tasks;
  for (int i = 0; i < 2000; ++i) {
    tasks.push_back(Of(Engine::kLoad, {}, {ScratchpadRange(i, 1)}));
    tasks.push_back(Of(Engine::kVector, {ScratchpadRange(i, 1)}, {}));
  }
  const std::vector<TaskSync> syncs = Sync(tasks);
  // The load engine runs whenever it may, the vector engine only when it must.
  size_t load = 0;
  size_t vector = 1;
  int to_vector = 0;
  int to_load = 0;
  int most = 0;
  int throttled = 0;
  while (load < tasks.size()) {
    const bool waits = !syncs[load].waits.empty();
    if (!waits || to_load > 0) {
      to_load -= waits ? 1 : 0;
      throttled += waits ? 1 : 0;
      to_vector += static_cast<int>(syncs[load].posts.size());
      most = std::max(most, to_vector);
      load += 2;
      continue;
    }
    ASSERT_GT(to_vector, 0) << "deadlock";
    to_vector -= static_cast<int>(syncs[vector].waits.size());
    to_load += static_cast<int>(syncs[vector].posts.size());
    vector += 2;
  }
  EXPECT_LE(most, kSemaphoreMax);
  EXPECT_GT(throttled, 0);
  EXPECT_LT(throttled, 40) << "waits for every task would cost more than they save";
}

// Producers that all stand before their consumers can't wait for them: consumers wait for groups.
TEST(PlanSyncTest, LoadsFarAheadArePostedInGroups) {
  constexpr int kCount = 3000;
  std::vector<TouchingTask> tasks;
  for (int i = 0; i < kCount; ++i) tasks.push_back(Of(Engine::kLoad, {}, {ScratchpadRange(i, 1)}));
  for (int i = 0; i < kCount; ++i)
    tasks.push_back(Of(Engine::kVector, {ScratchpadRange(i, 1)}, {}));
  const std::vector<TaskSync> syncs = Sync(tasks);
  int posts = 0;
  std::vector<int> posted_by(kCount);  // after which load each post comes
  for (int i = 0; i < kCount; ++i) {
    for (size_t p = 0; p < syncs[static_cast<size_t>(i)].posts.size(); ++p)
      posted_by[static_cast<size_t>(posts++)] = i;
  }
  EXPECT_LE(posts, kSemaphoreMax);
  EXPECT_GT(posts, 50) << "consumers would wait longer than they must";
  int waits = 0;
  for (int i = 0; i < kCount; ++i) {
    waits +=
        static_cast<int>(syncs[static_cast<size_t>(kCount) + static_cast<size_t>(i)].waits.size());
    ASSERT_GT(waits, 0);
    ASSERT_GE(posted_by[static_cast<size_t>(waits - 1)], i) << "the load has not ended";
  }
  EXPECT_EQ(waits, posts);
}

// Random tasks, played in an order as hostile as the semaphores allow: whenever a task may start,
// every earlier task of another engine that it conflicts with must have ended.
class PlanSyncProperty : public testing::TestWithParam<int> {};

bool Conflict(const TouchingTask& a, const TouchingTask& b) {
  const auto overlap = [](const std::vector<MemoryRange>& xs, const std::vector<MemoryRange>& ys) {
    for (const MemoryRange& x : xs) {
      for (const MemoryRange& y : ys) {
        if (x.Overlaps(y)) return true;
      }
    }
    return false;
  };
  return overlap(a.writes, b.writes) || overlap(a.writes, b.reads) || overlap(a.reads, b.writes);
}

std::vector<TouchingTask> RandomTasks(std::mt19937& random, int count) {
  const auto below = [&random](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  std::vector<TouchingTask> tasks;
  for (int i = 0; i < count; ++i) {
    const auto range = [&] {
      return below(4) == 0 ? AccumulatorRange(below(8), 1 + below(4))
                           : ScratchpadRange(below(24), 1 + below(8));
    };
    std::vector<MemoryRange> reads, writes;
    for (int n = below(3); n > 0; --n) reads.push_back(range());
    for (int n = below(3); n > 0; --n) writes.push_back(range());
    tasks.push_back(Of(static_cast<Engine>(1 + below(4)), reads, writes));
  }
  return tasks;
}

TEST_P(PlanSyncProperty, ConflictsAreOrderedAndNothingBlocksForEver) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const std::vector<TouchingTask> tasks = RandomTasks(random, 60);
  const std::vector<TaskSync> syncs = Sync(tasks);
  std::array<std::deque<size_t>, kEngineCount> queues;
  for (size_t i = 0; i < tasks.size(); ++i)
    queues[static_cast<size_t>(tasks[i].task.engine())].push_back(i);
  std::array<int, kSemaphoreCount> semaphores = {};
  std::vector<bool> done(tasks.size());
  for (size_t ended = 0; ended < tasks.size();) {
    std::vector<size_t> ready;  // engines whose next task may start
    for (size_t engine = 0; engine < kEngineCount; ++engine) {
      if (queues[engine].empty()) continue;
      bool may = true;
      for (uint8_t semaphore : syncs[queues[engine].front()].waits)
        may &= semaphores[semaphore] > 0;
      if (may) ready.push_back(engine);
    }
    ASSERT_FALSE(ready.empty()) << "deadlock after " << ended << " tasks";
    const size_t engine = ready[random() % ready.size()];
    const size_t task = queues[engine].front();
    queues[engine].pop_front();
    for (size_t earlier = 0; earlier < task; ++earlier) {
      ASSERT_TRUE(done[earlier] || !Conflict(tasks[earlier], tasks[task]))
          << earlier << " and " << task;
    }
    for (uint8_t semaphore : syncs[task].waits) --semaphores[semaphore];
    for (uint8_t semaphore : syncs[task].posts) ++semaphores[semaphore];
    done[task] = true;
    ++ended;
  }
  EXPECT_THAT(semaphores, testing::Each(0)) << "every post must have its wait";
}

INSTANTIATE_TEST_SUITE_P(Seeds, PlanSyncProperty, testing::Range(0, 200));

}  // namespace
}  // namespace acme::compiler
