// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/process/child_pool.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <utility>
#include <vector>

#include "conformance/observation/byte_text.h"
#include "conformance/runner/process/lean_heap.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// Reports that are judged by one process: starting one costs as much as judging does. They wait for
// each other no longer than a viewer of the progress would notice.
constexpr size_t kMostReports = 32;
constexpr size_t kMostReportBytes = size_t{4} << 20;
constexpr std::chrono::milliseconds kLongestWait{200};

// A task, and what came of its work so far.
struct Started {
  size_t number;
  PoolTask task;
  ChildOutcome worked;
  Clock::time_point worked_at;
};

struct Running {
  std::unique_ptr<ChildProcess> child;
  std::vector<Started> tasks;  // one that works, or those whose reports are judged
  bool judges = false;
};

// In order.
std::string JudgeAll(const std::vector<Started>& tasks) {
  std::vector<std::string> reports;
  for (const Started& one : tasks) reports.push_back(one.task.judge(one.worked.report));
  ByteWriter writer;
  writer.Put(reports);
  return writer.Take();
}

// Together they get the time of one: judging takes milliseconds.
ChildLimits LimitsOfJudge(const std::vector<Started>& tasks) {
  ChildLimits limits = tasks.front().task.limits;
  for (size_t i = 1; i < tasks.size(); ++i) {
    limits.timeout = std::max(limits.timeout, tasks[i].task.limits.timeout);
    limits.memory_bytes = std::max(limits.memory_bytes, tasks[i].task.limits.memory_bytes);
  }
  return limits;
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

class Pool {
 public:
  Pool(int jobs, const std::function<void(size_t, const ChildOutcome&)>& done,
       const std::atomic<bool>& stop)
      : places_(static_cast<size_t>(std::max(jobs, 1))), done_(done), stop_(stop) {}

  bool has_place() const {
    const auto waits = [](const Running& entry) {
      return !entry.judges && entry.tasks.front().task.waits;
    };
    const auto waiting =
        static_cast<size_t>(std::count_if(running_.begin(), running_.end(), waits));
    return running_.size() - std::min(waiting, places_) < places_;
  }
  bool is_idle() const { return running_.empty(); }
  bool is_over() const { return running_.empty() && waiting_.empty() && alone_.empty(); }

  litert::Expected<void> StartWork(size_t number, PoolTask task) {
    LITERT_ASSIGN_OR_RETURN(auto child, ChildProcess::Start(task.work, task.limits));
    Running entry{.child = std::move(child), .tasks = {}};
    entry.tasks.push_back({number, std::move(task), {}, {}});
    running_.push_back(std::move(entry));
    return {};
  }

  // Judges what waits if it is time for it; `no_more` says that no work follows.
  void StartJudging(bool no_more) {
    while (has_place() && !alone_.empty()) {
      std::vector<Started> one;
      one.push_back(std::move(alone_.back()));
      alone_.pop_back();
      StartJudge(std::move(one));
    }
    if (waiting_.empty() || !has_place()) return;
    const bool is_time = waiting_.size() >= kMostReports || waiting_bytes_ >= kMostReportBytes ||
                         (no_more && running_.empty()) ||
                         Clock::now() - waiting_.front().worked_at >= kLongestWait;
    if (!is_time) return;
    waiting_bytes_ = 0;
    StartJudge(std::exchange(waiting_, {}));
  }

  void Cancel() {
    for (Running& entry : running_) entry.child->Cancel();
    for (auto* kept : {&waiting_, &alone_}) {
      for (Started& one : *kept) HandOver(one, ChildOutcome::End::kCancelled);
      kept->clear();
    }
  }

  void Wait() const { WaitForOutput(running_); }

  // Takes what has ended.
  void Collect() {
    for (size_t i = 0; i < running_.size();) {
      if (!running_[i].child->Poll()) {
        ++i;
        continue;
      }
      // Out of the list before it is handed over: its place is free for what follows from it.
      Running ended = std::move(running_[i]);
      running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
      if (ended.judges) {
        TakeJudged(ended);
      } else {
        TakeWorked(ended);
      }
    }
  }

 private:
  void StartJudge(std::vector<Started> tasks) {
    auto child = ChildProcess::Start([&tasks] { return JudgeAll(tasks); }, LimitsOfJudge(tasks));
    if (child) {
      running_.push_back({.child = std::move(*child), .tasks = std::move(tasks), .judges = true});
      return;
    }
    for (Started& one : tasks) {
      one.worked.report = child.Error().Message();
      HandOver(one, ChildOutcome::End::kNotJudged);
    }
  }

  void HandOver(Started& one, ChildOutcome::End end) {
    one.worked.end = end;
    done_(one.number, one.worked);
  }

  void TakeWorked(Running& ended) {
    Started& one = ended.tasks.front();
    one.worked = ended.child->TakeOutcome();
    if (one.task.worked) one.task.worked(one.worked);
    if (!one.task.judge || one.worked.end != ChildOutcome::End::kReported) {
      done_(one.number, one.worked);
      return;
    }
    one.worked_at = Clock::now();
    waiting_bytes_ += one.worked.report.size();
    waiting_.push_back(std::move(one));
  }

  void TakeJudged(Running& ended) {
    const ChildOutcome& judged = ended.child->outcome();
    std::vector<std::string> reports;
    const bool has_reports = judged.end == ChildOutcome::End::kReported &&
                             ByteReader(judged.report).Get(reports) &&
                             reports.size() == ended.tasks.size();
    // Whose report it was that ended the process is found by judging each by itself.
    const bool is_cancelled = judged.end == ChildOutcome::End::kCancelled;
    if (!has_reports && ended.tasks.size() > 1 && !is_cancelled) {
      for (Started& one : ended.tasks) alone_.push_back(std::move(one));
      return;
    }
    for (size_t i = 0; i < ended.tasks.size(); ++i) {
      Started& one = ended.tasks[i];
      if (has_reports) {
        one.worked.report = std::move(reports[i]);
        // `done` may have stopped the run at the result before this one (enough failed): what stood
        // behind it in the batch then counts as never run, as what was not started does.
        HandOver(one, stop_ && i > 0 ? ChildOutcome::End::kCancelled : one.worked.end);
      } else {
        one.worked.report = HowItEnded(judged);
        HandOver(one, is_cancelled ? judged.end : ChildOutcome::End::kNotJudged);
      }
    }
  }

  const size_t places_;
  const std::function<void(size_t, const ChildOutcome&)>& done_;
  const std::atomic<bool>& stop_;
  std::vector<Running> running_;
  std::vector<Started> waiting_;  // for others to be judged with
  size_t waiting_bytes_ = 0;
  std::vector<Started> alone_;  // to be judged each by itself
};

}  // namespace

litert::Expected<void> RunQueue(std::deque<size_t>& queue, int jobs,
                                const std::function<PoolTask(size_t)>& make_task,
                                const std::function<void(size_t, const ChildOutcome&)>& done,
                                const std::atomic<bool>& stop, OwnHeap* books) {
  Pool pool(jobs, done, stop);
  while (!queue.empty() || !pool.is_over()) {
    pool.StartJudging(queue.empty());
    while (!stop && !queue.empty() && pool.has_place()) {
      const auto started = pool.StartWork(queue.front(), make_task(queue.front()));
      if (!started && pool.is_idle()) return started.Error();
      if (!started) break;  // try again when one has ended
      queue.pop_front();
    }
    if (stop) {
      queue.clear();
      pool.Cancel();
    }
    if (pool.is_over() && queue.empty()) break;
    pool.Wait();
    DoOn(books, [&pool] { pool.Collect(); });
  }
  return {};
}

litert::Expected<void> RunTasks(size_t count, int jobs,
                                const std::function<PoolTask(size_t)>& make_task,
                                const std::function<void(size_t, const ChildOutcome&)>& done,
                                const std::atomic<bool>& stop) {
  std::deque<size_t> queue(count);
  std::iota(queue.begin(), queue.end(), size_t{0});
  return RunQueue(queue, jobs, make_task, done, stop);
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
