// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "conformance/observation/byte_text.h"
#include "conformance/observation/check_report.h"
#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/plan/shared_workers.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/confinement.h"
#include "conformance/runner/process/lean_heap.h"
#include "conformance/runner/process/worker_answer.h"
#include "conformance/runner/process/worker_setup.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/library/elf_facts.h"

namespace npukit::conformance {
namespace {

// Far above what a check needs on any machine: they end hangs, they do not measure.
constexpr double kTimeoutSeconds = 20;
constexpr double kModelTimeoutSeconds = 120;
// What fills memory, as a damaged module may ask for, takes much longer under a sanitizer.
constexpr double kSanitizerFactor = 5;

ChildLimits LimitsOf(const PlannedCheck& planned, const RunOptions& options) {
  const bool whole_model = planned.spec->graph == nullptr && planned.spec->has_model();
  double seconds =
      planned.spec->timeout_s.value_or(whole_model ? kModelTimeoutSeconds : kTimeoutSeconds);
  if (HasSanitizer()) seconds *= kSanitizerFactor;
  if (options.timeout_s) seconds = *options.timeout_s;
  ChildLimits limits;
  limits.timeout = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  return limits;
}

// A plugin that hangs in every call would take its time limit thousands of times: so many
// hangs in one call tell enough.
constexpr size_t kMaxHangs = 5;

// Counts hangs by where they are.
class HangCounter {
 public:
  // Why the run need not go on; empty if it should.
  std::string Add(const CaseResult& result) {
    if (result.result != Result::kFailed || result.cause != Cause::kHang) return {};
    if (++hangs_[result.group] < kMaxHangs) return {};
    return fmt::format("not run: {} results before it were a {}", kMaxHangs, result.group);
  }

 private:
  std::map<std::string, size_t> hangs_;
};

CaseResult RunInProcess(const PlannedCheck& planned, const PluginUnderTest& under_test) {
  ChildOutcome outcome;
  outcome.end = ChildOutcome::End::kReported;
  outcome.report = SerializeReport(RunCheck(*planned.id.check, under_test, *planned.spec));
  return Judge(planned.id, outcome, &under_test.claims);
}

// Which results are to run, in the order of the plan, and which once more: those that went ahead of the device's answers for nothing, at once, so that what fails first
// is what fails first here; those that lost their device, when all others are over.
class Repeats {
 public:
  Repeats(DevicePool* devices, std::deque<size_t> wanted)
      : devices_(devices), wanted_(std::move(wanted)) {}

  // `kind`: the check that asks the most of the device.
  void Equip(PoolTask& task, size_t index, std::string_view kind) {
    if (devices_ == nullptr) return;
    if (devices_->Equip(task, waits_.contains(index) ? "" : std::string(kind)))
      ahead_.insert(index);
  }
  // Whether the end says nothing of the plugin: it went ahead of the device's answers, or lost it. As
  // Wants, for a task that is not run once more.
  bool IsForNothing(size_t index, const ChildOutcome& outcome) {
    return ahead_.erase(index) > 0 || DevicePool::IsLost(outcome);
  }
  // Each once for each reason.
  bool Wants(size_t index, const ChildOutcome& outcome) {
    if (devices_ == nullptr) return false;
    const bool went_ahead = ahead_.erase(index) > 0;
    const bool is_over = outcome.end == ChildOutcome::End::kReported ||
                         outcome.end == ChildOutcome::End::kNotJudged ||
                         outcome.end == ChildOutcome::End::kCancelled;
    const bool is_lost = DevicePool::IsLost(outcome);
    const bool is_wanted = is_lost ? lost_.insert(index).second
                                   : went_ahead && !is_over && waits_.insert(index).second;
    if (is_wanted && is_lost) {
      later_.push_back(index);
    } else if (is_wanted) {
      wanted_.push_front(index);
    }
    return is_wanted;
  }
  std::deque<size_t>& wanted() { return wanted_; }
  // What was put off is wanted now. False: nothing was.
  bool Resume() {
    if (later_.empty()) return false;
    devices_->Forgive();
    wanted_ = std::exchange(later_, {});
    return true;
  }

 private:
  DevicePool* const devices_;
  std::set<size_t> lost_;
  std::set<size_t> ahead_;  // tasks that run
  std::set<size_t> waits_;  // for every answer
  std::deque<size_t> wanted_;
  std::deque<size_t> later_;
};

// Copies what the task's worker sees to `seen`, which must stay where it is.
void NoteObserved(PoolTask& task, std::string& observed) {
  task.worked = [&observed, before = std::move(task.worked)](const ChildOutcome& outcome) {
    if (before) before(outcome);
    if (outcome.end == ChildOutcome::End::kReported) observed = outcome.report;
  };
}

// Texts as one, and of one again; empty ones if that can't be read.
std::string Together(const std::vector<std::string>& texts) {
  size_t size_bytes = sizeof(uint64_t);
  for (const std::string& text : texts) size_bytes += sizeof(uint64_t) + text.size();
  ByteWriter writer(size_bytes);
  writer.Put(texts);
  return writer.Take();
}
// Views of the text.
std::vector<std::string_view> Apart(std::string_view text, size_t count) {
  std::vector<std::string_view> texts;
  if (!ByteReader(text).Get(texts) || texts.size() != count) texts.assign(count, "");
  return texts;
}

// What the host makes once in a process is made before the fork, and not by every worker. No vendor
// code runs here.
void PrepareForWorkers(const PluginUnderTest& under_test) {
  kernels::FindOperator(kLiteRtOpCodeTflAdd);  // the tables of operators
  // One that can't be read is the workers' finding.
  for (const std::string& path : {under_test.plugin_path, under_test.dispatch_path})
    (void)ReadElfFacts(path);
  TrimHeaps();
  ShareInHugePages();
}

// The work of several results: what comes of each is told apart. All together get the time of the one
// that gets the most: where that does not do, each is asked by itself, and a hang is found as soon.
PoolTask MakeSharedTask(std::span<const PlannedCheck> planned, const PluginUnderTest& under_test,
                        const RunOptions& options) {
  PoolTask task{.work = {}, .limits = LimitsOf(planned.front(), options)};
  for (const PlannedCheck& one : planned)
    task.limits.timeout = std::max(task.limits.timeout, LimitsOf(one, options).timeout);
  task.work = [&under_test, planned] {
    std::vector<AskedCheck> asked;
    for (const PlannedCheck& one : planned)
      asked.push_back({.check = one.id.check, .spec = one.spec});
    return Together(Observe(asked, under_test));
  };
  task.judge = [&under_test, planned](const std::string& observed) {
    const std::vector<std::string_view> each = Apart(observed, planned.size());
    std::vector<std::string> reports;
    for (size_t i = 0; i < planned.size(); ++i)
      reports.push_back(SerializeReport(
          JudgeObserved(*planned[i].id.check, under_test, *planned[i].spec, each[i])));
    return Together(reports);
  };
  return task;
}

// A run as it goes: which worker is next, and what came of those that are over.
class PlanRun {
 public:
  PlanRun(const std::vector<PlannedCheck>& plan, const PluginUnderTest& under_test,
          const RunOptions& options, std::atomic<bool>& stop)
      : plan_(plan),
        under_test_(under_test),
        options_(options),
        stop_(stop),
        books_(options.isolate ? std::make_unique<OwnHeap>() : nullptr),
        workers_(plan),
        repeats_(options.devices, workers_.Beginnings()) {}

  litert::Expected<std::vector<CaseResult>> Run() {
    DoOn(books_.get(), [this] {
      results_.reserve(plan_.size());
      for (const PlannedCheck& planned : plan_) results_.push_back(NotRun(planned.id));
    });
    if (options_.isolate) {
      PrepareForWorkers(under_test_);
      const auto make_task = [this](size_t index) { return TaskOf(index); };
      const auto on_done = [this](size_t index, const ChildOutcome& outcome) {
        OnDone(index, outcome);
      };
      do {
        LITERT_RETURN_IF_ERROR(
            RunQueue(repeats_.wanted(), options_.jobs, make_task, on_done, stop_, books_.get()));
      } while (repeats_.Resume());
    } else {
      for (size_t i = 0; i < plan_.size() && !stop_; ++i)
        Take(i, RunInProcess(plan_[i], under_test_));
    }
    for (CaseResult& result : results_) {
      if (!stopped_.empty() && result.result == Result::kNotRun) result.detail = stopped_;
    }
    return std::move(results_);
  }

 private:
  // What came of a result where others were made in the same worker.
  struct Shared {
    CaseResult result;
    std::string observed;
    std::string after = {};  // what was made before it, if anything was
  };

  void Take(size_t index, CaseResult result) {
    failed_ += result.result == Result::kFailed;
    if (stopped_.empty()) stopped_ = hangs_.Add(result);
    if (!stopped_.empty()) stop_ = true;
    results_[index] = std::move(result);
    if (options_.progress) options_.progress(++done_, plan_.size(), failed_);
    if (options_.max_failures > 0 && failed_ >= options_.max_failures) stop_ = true;
  }

  PoolTask TaskOf(size_t index) {
    const size_t count = workers_.CountFrom(index);
    PoolTask task =
        count == 1 ? MakeTask(plan_[index], under_test_, options_)
                   : MakeSharedTask(std::span(plan_).subspan(index, count), under_test_, options_);
    repeats_.Equip(task, index, plan_[index + count - 1].id.check->id);
    if (options_.keep_observed && task.judge) NoteObserved(task, observed_[index]);
    return task;
  }

  void OnDone(size_t index, ChildOutcome outcome) {
    if (const size_t count = workers_.CountFrom(index); count > 1) {
      TakeShared(index, count, outcome);
      return;
    }
    if (repeats_.Wants(index, outcome)) return;
    if (options_.devices != nullptr) outcome = DevicePool::Explained(std::move(outcome));
    const auto observed = observed_.extract(index);
    Keep(index, {.result = ResultOf(index, outcome),
                 .observed = observed.empty() ? "" : observed.mapped()});
  }

  CaseResult ResultOf(size_t index, const ChildOutcome& outcome) const {
    CaseResult result = Judge(plan_[index].id, outcome, &under_test_.claims);
    MeetWaivers(options_.waivers, result);
    return result;
  }

  // Of the result that is `count` after `index`, with which its worker began; empty if nothing was.
  std::string WhatWasBefore(size_t index, size_t count) const {
    if (count == 0) return {};
    const std::string& last = plan_[index + count - 1].id.name;
    return count == 1 ? last : fmt::format("{} and {} before it", last, count - 1);
  }

  // By itself; what a worker has shown that others shared is not forgotten.
  void Keep(size_t index, Shared made) {
    auto before = shared_.extract(index);
    if (!before.empty() && made.result.result == Result::kPassed) {
      made = std::move(before.mapped());
      made.result.detail +=
          made.after.empty()
              ? " (it passed when it was asked once more)"
              : fmt::format(" (after {} in one process; alone it passed)", made.after);
    }
    if (!made.observed.empty()) options_.keep_observed(plan_[index].id.name, made.observed);
    Take(index, std::move(made.result));
  }

  // All that passed or was skipped is what it would be without the others. What did not is asked
  // again, and so are the others.
  void TakeShared(size_t index, size_t count, const ChildOutcome& outcome) {
    const auto kept = observed_.extract(index);
    const std::vector<std::string_view> observed =
        Apart(kept.empty() ? std::string_view() : kept.mapped(), count);
    // Together they had the time of one, which each gets when it is asked by itself.
    const bool says_nothing = repeats_.IsForNothing(index, outcome) ||
                              outcome.end == ChildOutcome::End::kNotJudged ||
                              outcome.end == ChildOutcome::End::kTimedOut;
    if (outcome.end == ChildOutcome::End::kCancelled) {
      for (size_t i = index; i < index + count; ++i) Take(i, ResultOf(i, outcome));
      return;
    }
    const bool is_reported = outcome.end == ChildOutcome::End::kReported;
    const std::vector<std::string_view> reports = Apart(outcome.report, count);
    bool is_good = is_reported;
    std::vector<Shared> made;
    for (size_t i = 0; i < count; ++i) {
      ChildOutcome own = outcome;
      own.seconds /= static_cast<double>(count);
      if (is_reported) own.report = reports[i];
      made.push_back({.result = ResultOf(index + i, own), .observed = std::string(observed[i])});
      made.back().after = WhatWasBefore(index, i);
      const Result result = made.back().result.result;
      is_good = is_good && (result == Result::kPassed || result == Result::kSkipped);
    }
    for (size_t i = 0; i < count; ++i) {
      if (is_good) {
        Keep(index + i, std::move(made[i]));
      } else if ((is_reported || (i + 1 == count && !says_nothing)) &&
                 made[i].result.result == Result::kFailed) {
        shared_[index + i] = std::move(made[i]);
      }
    }
    if (!is_good) workers_.Separate(index, repeats_.wanted());
  }

  const std::vector<PlannedCheck>& plan_;
  const PluginUnderTest& under_test_;
  const RunOptions& options_;
  std::atomic<bool>& stop_;
  const std::unique_ptr<OwnHeap> books_;
  SharedWorkers workers_;
  Repeats repeats_;
  HangCounter hangs_;
  std::vector<CaseResult> results_;
  std::map<size_t, std::string> observed_;  // by tasks that run
  std::map<size_t, Shared> shared_;         // failures that are asked again
  size_t done_ = 0;
  size_t failed_ = 0;
  std::string stopped_;  // why; empty: it goes on
};

}  // namespace

int JobsOr(int jobs) {
  return jobs > 0 ? jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

int CheckJobsOr(int jobs) { return jobs > 0 ? jobs : JobsOr(0) + 1; }

std::vector<std::string> FindIsolationGaps(const RunOptions& options) {
  if (!options.isolate) return {"vendor code ran in the process that judged it (--no-isolation)"};
  std::vector<std::string> gaps;
  if (std::string gap = ProtectRunner(); !gap.empty()) gaps.push_back(std::move(gap));
  const auto ask = [] { return fmt::format("{}", fmt::join(ConfinementGaps(), "\n")); };
  const litert::Expected<std::string> told = AskWorker(ask).text;
  if (!told) {
    gaps.push_back("a worker could not tell how it is confined: " + told.Error().Message());
    return gaps;
  }
  std::istringstream lines(*told);
  for (std::string line; std::getline(lines, line);) gaps.push_back(line);
  return gaps;
}

PoolTask MakeTask(const PlannedCheck& planned, const PluginUnderTest& under_test,
                  const RunOptions& options) {
  PoolTask task{.work = {}, .limits = LimitsOf(planned, options)};
  task.work = [&under_test, &planned] {
    const AskedCheck asked{.check = planned.id.check, .spec = planned.spec};
    return std::move(Observe(std::span(&asked, 1), under_test).front());
  };
  task.judge = [&under_test, &planned](const std::string& observed) {
    return SerializeReport(JudgeObserved(*planned.id.check, under_test, *planned.spec, observed));
  };
  task.waits = planned.id.check->id == "state.later";  // for a second
  return task;
}

litert::Expected<std::vector<CaseResult>> RunPlan(const std::vector<PlannedCheck>& plan,
                                                  const PluginUnderTest& under_test,
                                                  const RunOptions& options,
                                                  std::atomic<bool>& stop) {
  return PlanRun(plan, under_test, options, stop).Run();
}

}  // namespace npukit::conformance
