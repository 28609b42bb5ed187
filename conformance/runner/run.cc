// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "conformance/observation/check_report.h"
#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/confinement.h"
#include "conformance/runner/process/lean_heap.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/library/elf_facts.h"

namespace npukit::conformance {
namespace {

// Far above what a check needs on any machine: they end hangs, they do not measure.
constexpr double kTimeoutSeconds = 20;
constexpr double kModelTimeoutSeconds = 120;

ChildLimits LimitsOf(const PlannedCheck& planned, const RunOptions& options) {
  const bool whole_model = planned.spec->graph == nullptr && planned.spec->has_model();
  double seconds =
      planned.spec->timeout_s.value_or(whole_model ? kModelTimeoutSeconds : kTimeoutSeconds);
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
  Repeats(DevicePool* devices, size_t count) : devices_(devices), wanted_(count) {
    std::iota(wanted_.begin(), wanted_.end(), size_t{0});
  }

  void Equip(PoolTask& task, size_t index, const PlannedCheck& planned) {
    if (devices_ == nullptr) return;
    const std::string kind = waits_.contains(index) ? "" : std::string(planned.id.check->id);
    if (devices_->Equip(task, kind)) ahead_.insert(index);
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

}  // namespace

std::vector<PlannedCheck> MakePlan(const std::vector<Suite>& suites,
                                   const std::optional<NamePattern>& filter) {
  std::vector<PlannedCheck> plan;
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      for (const CheckInfo* check : spec.checks) {
        const std::string name = spec.full_name() + "/" + std::string(check->id);
        if (filter && !filter->IsFoundIn(name)) continue;
        plan.push_back({.id = {.suite = suite.name, .name = name, .check = check}, .spec = &spec});
      }
    }
  }
  return plan;
}

int JobsOr(int jobs) {
  return jobs > 0 ? jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

int CheckJobsOr(int jobs) { return jobs > 0 ? jobs : JobsOr(0) + 1; }

std::vector<std::string> FindIsolationGaps(const RunOptions& options) {
  if (!options.isolate) return {"vendor code ran in the process that judged it (--no-isolation)"};
  std::vector<std::string> gaps;
  if (std::string gap = ProtectRunner(); !gap.empty()) gaps.push_back(std::move(gap));
  const auto ask = [] { return fmt::format("{}", fmt::join(ConfinementGaps(), "\n")); };
  const auto outcome = RunTask({.work = ask, .limits = {}});
  if (!outcome || outcome->end != ChildOutcome::End::kReported) {
    gaps.emplace_back("a worker could not tell how it is confined");
    return gaps;
  }
  std::istringstream lines(outcome->report);
  for (std::string line; std::getline(lines, line);) gaps.push_back(line);
  return gaps;
}

PoolTask MakeTask(const PlannedCheck& planned, const PluginUnderTest& under_test,
                  const RunOptions& options) {
  const auto run = [&under_test, &planned] {
    return RunCheck(*planned.id.check, under_test, *planned.spec);
  };
  PoolTask task{.work = {}, .limits = LimitsOf(planned, options)};
  task.work = [run] {
    Witness::Get().Note();
    run();  // its verdict is not heard
    return SerializeEvidence(Witness::Get().evidence());
  };
  task.judge = [&under_test, &planned](const std::string& observed) {
    return SerializeReport(JudgeObserved(*planned.id.check, under_test, *planned.spec, observed));
  };
  return task;
}

litert::Expected<std::vector<CaseResult>> RunPlan(const std::vector<PlannedCheck>& plan,
                                                  const PluginUnderTest& under_test,
                                                  const RunOptions& options,
                                                  std::atomic<bool>& stop) {
  const auto books = options.isolate ? std::make_unique<OwnHeap>() : nullptr;
  std::vector<CaseResult> results;
  DoOn(books.get(), [&] {
    results.reserve(plan.size());
    for (const PlannedCheck& planned : plan) results.push_back(NotRun(planned.id));
  });
  size_t done = 0;
  size_t failed = 0;
  HangCounter hangs;
  std::string stopped;
  auto take = [&](size_t index, CaseResult result) {
    failed += result.result == Result::kFailed;
    if (stopped.empty()) stopped = hangs.Add(result);
    if (!stopped.empty()) stop = true;
    results[index] = std::move(result);
    if (options.progress) options.progress(++done, plan.size(), failed);
    if (options.max_failures > 0 && failed >= options.max_failures) stop = true;
  };
  if (!options.isolate) {
    for (size_t i = 0; i < plan.size() && !stop; ++i) take(i, RunInProcess(plan[i], under_test));
    return results;
  }
  PrepareForWorkers(under_test);
  Repeats repeats(options.devices, plan.size());
  do {
    std::map<size_t, std::string> observed;
    auto make_task = [&](size_t index) {
      PoolTask task = MakeTask(plan[index], under_test, options);
      repeats.Equip(task, index, plan[index]);
      if (options.keep_observed && task.judge) NoteObserved(task, observed[index]);
      return task;
    };
    auto on_done = [&](size_t index, ChildOutcome outcome) {
      if (repeats.Wants(index, outcome)) return;
      if (options.devices != nullptr) outcome = DevicePool::Explained(std::move(outcome));
      if (const auto kept = observed.extract(index); !kept.empty() && !kept.mapped().empty())
        options.keep_observed(plan[index].id.name, kept.mapped());
      CaseResult result = Judge(plan[index].id, outcome, &under_test.claims);
      MeetWaivers(options.waivers, result);
      take(index, std::move(result));
    };
    LITERT_RETURN_IF_ERROR(
        RunQueue(repeats.wanted(), options.jobs, make_task, on_done, stop, books.get()));
  } while (repeats.Resume());
  for (CaseResult& result : results) {
    if (!stopped.empty() && result.result == Result::kNotRun) result.detail = stopped;
  }
  return results;
}

}  // namespace npukit::conformance
