// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/child_pool.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "conformance/runner/process/worker_setup.h"

namespace npukit::conformance {
namespace {

using End = ChildOutcome::End;

ChildLimits ShortTimeout() {
  ChildLimits limits;
  limits.timeout = std::chrono::milliseconds(100);
  return limits;
}

TEST(Pool, RunsEverythingOnce) {
  std::set<size_t> observed;
  std::atomic<bool> stop = false;
  auto done = [&](size_t task, const ChildOutcome& outcome) {
    EXPECT_EQ(outcome.report, fmt::format("{}", task));
    EXPECT_TRUE(observed.insert(task).second);
  };
  auto make = [](size_t task) { return PoolTask{[task] { return fmt::format("{}", task); }, {}}; };
  ASSERT_TRUE(RunTasks(100, 4, make, done, stop));
  EXPECT_EQ(observed.size(), 100u);
}

// What is to run once more runs next.
TEST(Pool, TasksThatComeBackAreNext) {
  std::deque<size_t> queue = {3, 5, 7, 9};
  std::vector<size_t> order;
  std::atomic<bool> stop = false;
  auto done = [&](size_t task, const ChildOutcome&) {
    order.push_back(task);
    if (task == 5 && order.size() == 2) queue.push_front(task);
  };
  auto make = [](size_t) { return PoolTask{[] { return std::string(); }, {}}; };
  ASSERT_TRUE(RunQueue(queue, 1, make, done, stop));
  EXPECT_EQ(order, (std::vector<size_t>{3, 5, 5, 7, 9}));
}

// The first ends when the second has run, for which there is no place but beside it.
TEST(Pool, WhatWaitsTakesNoPlace) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  ChildLimits limits;
  limits.timeout = std::chrono::seconds(10);
  limits.inherited_fds = {pipe_ends[0], pipe_ends[1]};
  size_t ended = 0;
  std::atomic<bool> stop = false;
  auto done = [&](size_t, const ChildOutcome& outcome) {
    EXPECT_EQ(outcome.end, End::kReported);
    EXPECT_EQ(outcome.report, "moved");
    ++ended;
  };
  auto make = [&](size_t task) {
    PoolTask made{[task, &pipe_ends]() -> std::string {
                    char byte = 'x';
                    const bool moved = task == 0 ? read(pipe_ends[0], &byte, 1) == 1
                                                 : write(pipe_ends[1], &byte, 1) == 1;
                    return moved ? "moved" : "not moved";
                  },
                  limits};
    made.waits = task == 0;
    return made;
  };
  ASSERT_TRUE(RunTasks(2, 1, make, done, stop));
  EXPECT_EQ(ended, 2u);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

// Of those, too, no more are started than of others.
TEST(Pool, OnlySoManyWaitAtATime) {
  std::atomic<bool> stop = false;
  size_t started = 0;
  size_t ended = 0;
  auto done = [&](size_t, const ChildOutcome&) { ++ended; };
  auto make = [&](size_t) {
    ++started;
    EXPECT_LE(started - ended, 4u);
    PoolTask made{[] { return std::string(); }, {}};
    made.waits = true;
    return made;
  };
  ASSERT_TRUE(RunTasks(20, 2, make, done, stop));
  EXPECT_EQ(ended, 20u);
}

// What the work reported is judged in another process: what it loaded or changed is not there.
TEST(Pool, JudgesReportsInAnotherProcess) {
  static int changed = 0;
  const PoolTask task{
      .work =
          [] {
            changed = 1;
            return std::string("seen");
          },
      .limits = {},
      .judge = [](const std::string& report) { return fmt::format("{} {}", report, changed); }};
  const auto outcome = RunTask(task);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::kReported);
  EXPECT_EQ(outcome->report, "seen 0");
}

// A judge that dies says nothing about the work; nor is there one for work that came to no end.
TEST(Pool, AJudgeThatDiesIsNoVerdict) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer looks for leaks in exit(), for too long";
  PoolTask task{.work = [] { return std::string("seen"); },
                .limits = ShortTimeout(),
                .judge = [](const std::string&) -> std::string { abort(); }};
  auto outcome = RunTask(task);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::kNotJudged);
  EXPECT_EQ(outcome->report, "crashed with SIGABRT");
  task.work = []() -> std::string { exit(3); };
  outcome = RunTask(task);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::kExited);
  EXPECT_EQ(outcome->exit_code, 3);
}

// Reports are judged many at a time: one that ends that process costs the others nothing.
TEST(Pool, AJudgeThatDiesIsItsOwnReportsAlone) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer looks for leaks in exit(), for too long";
  std::vector<ChildOutcome> outcomes(50);
  const std::atomic<bool> stop = false;
  auto make = [](size_t task) {
    return PoolTask{.work = [task] { return fmt::format("{}", task); },
                    .limits = ShortTimeout(),
                    .judge = [](const std::string& report) -> std::string {
                      if (report == "7") abort();
                      if (report == "40") pause();
                      return report + " judged";
                    }};
  };
  auto done = [&](size_t task, const ChildOutcome& outcome) { outcomes[task] = outcome; };
  ASSERT_TRUE(RunTasks(outcomes.size(), 2, make, done, stop));
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const bool is_lost = i == 7 || i == 40;
    EXPECT_EQ(outcomes[i].end, is_lost ? End::kNotJudged : End::kReported) << i;
    if (!is_lost) {
      EXPECT_EQ(outcomes[i].report, fmt::format("{} judged", i));
    }
  }
  EXPECT_EQ(outcomes[7].report, "crashed with SIGABRT");
  EXPECT_EQ(outcomes[40].report, "gave no answer in time");
}

// What is judged together is handed over one by one; nothing follows once it is to stop.
TEST(Pool, StopsWithinWhatIsJudgedTogether) {
  std::atomic<bool> stop = false;
  size_t reported = 0;
  auto make = [](size_t task) {
    return PoolTask{.work = [task] { return fmt::format("{}", task); },
                    .limits = {},
                    .judge = [](const std::string& report) { return report; }};
  };
  auto done = [&](size_t, const ChildOutcome& outcome) {
    reported += outcome.end == End::kReported;
    if (reported == 3) stop = true;
  };
  ASSERT_TRUE(RunTasks(100, 2, make, done, stop));
  EXPECT_EQ(reported, 3u);
}

TEST(Pool, SurvivesWorkersThatDieInEveryWay) {
  if (HasSanitizer()) GTEST_SKIP() << "the sanitizer looks for leaks in exit(), for too long";
  std::vector<End> ends(40);
  std::atomic<bool> stop = false;
  auto make = [](size_t task) {
    return PoolTask{[task]() -> std::string {
                      if (task % 4 == 0) abort();
                      if (task % 4 == 1) exit(0);
                      if (task % 4 == 2) {
                        while (true) pause();
                      }
                      return "fine";
                    },
                    ShortTimeout()};
  };
  auto done = [&](size_t task, const ChildOutcome& outcome) { ends[task] = outcome.end; };
  ASSERT_TRUE(RunTasks(ends.size(), 8, make, done, stop));
  constexpr End kWanted[] = {End::kSignalled, End::kExited, End::kTimedOut, End::kReported};
  for (size_t i = 0; i < ends.size(); ++i) EXPECT_EQ(ends[i], kWanted[i % 4]) << i;
}

TEST(Pool, StopsWhenToldAndHandsOverWhatRan) {
  size_t handed_over = 0;
  size_t cancelled = 0;
  std::atomic<bool> stop = false;
  auto make = [](size_t task) {
    return PoolTask{[task]() -> std::string {
                      // NOLINTNEXTLINE(bugprone-infinite-loop): until it is killed
                      while (task > 0) pause();
                      return "";
                    },
                    {}};
  };
  auto done = [&](size_t, const ChildOutcome& outcome) {
    ++handed_over;
    cancelled += outcome.end == End::kCancelled;
    stop = true;
  };
  ASSERT_TRUE(RunTasks(1000, 3, make, done, stop));
  EXPECT_LE(handed_over, 4u);
  EXPECT_GE(cancelled, 1u);
}

}  // namespace
}  // namespace npukit::conformance
