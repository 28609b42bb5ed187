// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/child_pool.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using Clock = std::chrono::steady_clock;

struct Running {
  size_t number;
  PoolTask task;
  std::unique_ptr<ChildProcess> child;
  std::optional<ChildOutcome> worked = std::nullopt;  // of the work, while its report is judged
};

std::string HowItEnded(const ChildOutcome& outcome) {
  switch (outcome.end) {
    case ChildOutcome::End::kSignalled:
      return "crashed with " + SignalName(outcome.signal);
    case ChildOutcome::End::kTimedOut:
      return "no answer in time";
    default:
      return "the process ended early";
  }
}

// The work's outcome with the report that was made of its own.
ChildOutcome Judged(ChildOutcome worked, const ChildOutcome& judged) {
  if (judged.end == ChildOutcome::End::kReported) {
    worked.report = judged.report;
  } else if (judged.end == ChildOutcome::End::kCancelled) {
    worked.end = judged.end;
  } else {
    worked.end = ChildOutcome::End::kNotJudged;
    worked.report = HowItEnded(judged);
  }
  return worked;
}

// Whether there is more to do: the work's report is to be judged.
bool StartJudging(Running& entry) {
  if (entry.worked || !entry.task.judge ||
      entry.child->outcome().end != ChildOutcome::End::kReported)
    return false;
  entry.worked = entry.child->outcome();
  auto judge = ChildProcess::Start([&entry] { return entry.task.judge(entry.worked->report); },
                                   entry.task.limits);
  if (judge) {
    entry.child = std::move(*judge);
    return true;
  }
  entry.worked->end = ChildOutcome::End::kNotJudged;
  entry.worked->report = judge.Error().Message();
  return false;
}

// Once its process is over: the outcome, or nothing if there is more to do.
std::optional<ChildOutcome> Finish(Running& entry) {
  if (!entry.worked && entry.task.worked) entry.task.worked(entry.child->outcome());
  if (StartJudging(entry)) return std::nullopt;
  const ChildOutcome& last = entry.child->outcome();
  if (!entry.worked || entry.worked->end == ChildOutcome::End::kNotJudged)
    return entry.worked.value_or(last);
  return Judged(std::move(*entry.worked), last);
}

// Until something can be read, the next deadline, or a signal. A process that closed all its pipes
// is looked at again soon.
void WaitForOutput(const std::vector<Running>& running) {
  constexpr std::chrono::milliseconds kLongest{50};
  constexpr std::chrono::milliseconds kClosed{1};
  std::vector<pollfd> fds;
  auto wait = kLongest;
  for (const Running& entry : running) {
    const size_t before = fds.size();
    for (int i = 0; i < ChildProcess::kPipes; ++i) {
      const int fd = entry.child->descriptors()[i];
      if (fd >= 0) fds.push_back({fd, POLLIN, 0});
    }
    if (fds.size() == before) wait = std::min(wait, kClosed);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        entry.child->deadline() - Clock::now());
    wait = std::clamp(left + std::chrono::milliseconds(1), std::chrono::milliseconds(0), wait);
  }
  poll(fds.data(), fds.size(), static_cast<int>(wait.count()));
}

}  // namespace

litert::Expected<void> RunTasks(size_t count, int jobs,
                                const std::function<PoolTask(size_t)>& make_task,
                                const std::function<void(size_t, const ChildOutcome&)>& done,
                                const std::atomic<bool>& stop) {
  std::vector<Running> running;
  size_t next = 0;
  while (next < count || !running.empty()) {
    while (!stop && next < count && running.size() < static_cast<size_t>(std::max(jobs, 1))) {
      PoolTask task = make_task(next);
      auto child = ChildProcess::Start(task.work, task.limits);
      if (!child && running.empty()) return child.Error();
      if (!child) break;  // try again when one has ended
      running.push_back({next++, std::move(task), std::move(*child)});
    }
    if (stop) {
      next = count;
      for (Running& entry : running) entry.child->Cancel();
    }
    if (running.empty()) break;
    WaitForOutput(running);
    std::erase_if(running, [&](Running& entry) {
      if (!entry.child->Poll()) return false;
      const std::optional<ChildOutcome> outcome = Finish(entry);
      if (outcome) done(entry.number, *outcome);
      return outcome.has_value();
    });
  }
  return {};
}

litert::Expected<ChildOutcome> RunTask(const PoolTask& task) {
  ChildOutcome outcome;
  const std::atomic<bool> stop = false;
  LITERT_RETURN_IF_ERROR(RunTasks(
      1, 1, [&](size_t) { return task; },
      [&](size_t, const ChildOutcome& result) { outcome = result; }, stop));
  return outcome;
}

}  // namespace npukit::conformance
