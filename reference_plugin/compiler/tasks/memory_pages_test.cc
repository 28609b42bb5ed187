// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/memory_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reference_plugin/compiler/tests/touching_task.h"

namespace acme::compiler {
namespace {

TouchingTask Store(const MemoryRange& reads, const MemoryRange& writes) {
  return Touching(isa::StCopy{}, {reads}, {writes});
}

struct Crowd {
  size_t visits = 0;
  size_t most_on_a_page = 0;
};

// What planners do: all accesses are noted on their pages.
Crowd CrowdOf(const std::vector<TouchingTask>& tasks) {
  MemoryPages<size_t> pages(FootprintsOf(tasks));
  Crowd crowd;
  const auto note = [&](const MemoryRange& range) {
    pages.ForEach(range, [&](size_t& accesses, int64_t, int64_t) {
      ++crowd.visits;
      crowd.most_on_a_page = std::max(crowd.most_on_a_page, ++accesses);
    });
  };
  for (const TouchingTask& task : tasks) {
    for (const MemoryRange& range : task.reads) note(range);
    for (const MemoryRange& range : task.writes) note(range);
  }
  return crowd;
}

// One task after the other, each on the bytes behind those of the one before it.
std::vector<TouchingTask> StoresOf(int64_t bytes, size_t count) {
  std::vector<TouchingTask> tasks;
  for (size_t i = 0; i < count; ++i) {
    const int64_t begin = static_cast<int64_t>(i) * bytes;
    tasks.push_back(Store(ScratchpadRange(begin, bytes), DramRange(1, begin, bytes)));
  }
  return tasks;
}

TEST(MemoryPagesTest, FewAccessesMeetWhateverTheirSize) {
  for (const int64_t bytes : {1, 48, 64, 1000, 16384, 100000}) {
    const Crowd crowd = CrowdOf(StoresOf(bytes, 2000));
    EXPECT_LE(crowd.most_on_a_page, 32u) << bytes;
    EXPECT_LE(crowd.visits, 4u * 2 * 2000) << bytes;
  }
}

TEST(MemoryPagesTest, OneLargeAccessLeavesManySmallOnesApart) {
  std::vector<TouchingTask> tasks = StoresOf(64, 4000);
  tasks.push_back(Store(ScratchpadRange(0, 4000 * 64), DramRange(1, 0, 4000 * 64)));
  const Crowd crowd = CrowdOf(tasks);
  EXPECT_LE(crowd.most_on_a_page, 8u);
  EXPECT_LE(crowd.visits, 4u * 2 * 4001);
}

TEST(MemoryPagesTest, EachMemoryHasPagesOfItsOwnSize) {
  std::vector<TouchingTask> tasks = StoresOf(64, 1000);
  for (int64_t i = 0; i < 1000; ++i)
    tasks.push_back(Store(AccumulatorRange(i, 1), DramRange(2, i << 18, 1 << 18)));
  EXPECT_LE(CrowdOf(tasks).most_on_a_page, 32u);
}

TEST(MemoryPagesTest, WhatNoTaskWritesHasNoPages) {
  std::vector<TouchingTask> tasks = {Store(DramRange(0, 0, 64), DramRange(1, 0, 64))};
  EXPECT_EQ(CrowdOf(tasks).visits, 1u) << "the page written, none that is read";
}

TEST(MemoryPagesTest, APageKnowsItsBytes) {
  const std::vector<TouchingTask> tasks = {Store(ScratchpadRange(0, 64), DramRange(1, 0, 64))};
  MemoryPages<size_t> pages(FootprintsOf(tasks));
  int64_t next = 64;
  pages.ForEach(DramRange(1, 100, 100), [&](size_t&, int64_t from, int64_t to) {
    EXPECT_EQ(from, next);
    EXPECT_EQ(to, from + 64);
    next = to;
  });
  EXPECT_EQ(next, 256);
}

}  // namespace
}  // namespace acme::compiler
