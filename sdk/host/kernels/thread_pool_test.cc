// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/thread_pool.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace npukit::kernels {
namespace {

// How often each of `count` items was handed out; also that no worker does two things at a time.
std::vector<int> Visits(ThreadPool& pool, size_t count, size_t grain) {
  std::vector<std::atomic<int>> visits(count);
  std::vector<std::atomic<bool>> is_busy(static_cast<size_t>(pool.num_threads()));
  std::atomic<int> short_ranges{0};
  pool.ParallelFor(count, grain, [&](size_t begin, size_t end, int worker) {
    ASSERT_GE(worker, 0);
    ASSERT_LT(worker, pool.num_threads());
    EXPECT_FALSE(is_busy[static_cast<size_t>(worker)].exchange(true)) << "worker " << worker;
    ASSERT_LE(end, count);
    if (end - begin < grain) {
      EXPECT_EQ(++short_ranges, 1) << begin << " to " << end;
    }
    for (size_t i = begin; i < end; ++i) ++visits[i];
    is_busy[static_cast<size_t>(worker)] = false;
  });
  return {visits.begin(), visits.end()};
}

TEST(ThreadPool, HandsOutEachItemOnce) {
  for (int threads : {1, 2, 3, 8}) {
    const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(threads);
    ASSERT_EQ(pool->num_threads(), threads);
    for (size_t count : {0, 1, 2, 7, 28, 1000}) {
      for (size_t grain : {1, 3, 2000}) {
        if (threads == 1) grain = 1;  // the caller takes everything at once
        SCOPED_TRACE(fmt::format("{} threads, {} items, grain {}", threads, count, grain));
        EXPECT_EQ(Visits(*pool, count, grain), std::vector<int>(count, 1));
      }
    }
  }
}

// A thread that wakes up late must find a later job whole, or none.
TEST(ThreadPool, ServesOneJobAfterTheOther) {
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(4);
  for (int job = 0; job < 20000; ++job) {
    const size_t count = static_cast<size_t>(job) % 9;
    std::atomic<size_t> sum{0};
    pool->ParallelFor(count, 1, [&](size_t begin, size_t end, int /*worker*/) {
      for (size_t i = begin; i < end; ++i) sum += i + 1;
    });
    ASSERT_EQ(sum, count * (count + 1) / 2) << "job " << job;
  }
}

// A thread's share may take any time; the others take what is left, and the last ranges are small.
TEST(ThreadPool, LeavesLittleForTheEnd) {
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(2);
  std::atomic<size_t> largest{0};
  std::atomic<size_t> smallest{1000};
  pool->ParallelFor(1000, 1, [&](size_t begin, size_t end, int /*worker*/) {
    size_t seen = largest;
    while (end - begin > seen && !largest.compare_exchange_weak(seen, end - begin)) {
    }
    seen = smallest;
    while (end - begin < seen && !smallest.compare_exchange_weak(seen, end - begin)) {
    }
  });
  EXPECT_EQ(largest, 250u);
  EXPECT_EQ(smallest, 1u);
}

// What a core wrote for one op it should read for the next.
TEST(ThreadPool, TheCallerBeginsAtTheFrontTheOthersAtTheBack) {
  const std::unique_ptr<ThreadPool> pool = ThreadPool::Create(2);
  for (int job = 0; job < 100; ++job) {
    std::vector<int> worker_of(100, -1);
    pool->ParallelFor(worker_of.size(), 1, [&](size_t begin, size_t end, int worker) {
      for (size_t i = begin; i < end; ++i) worker_of[i] = worker;
    });
    EXPECT_TRUE(std::is_sorted(worker_of.begin(), worker_of.end()));
  }
}

}  // namespace
}  // namespace npukit::kernels
