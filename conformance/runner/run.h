// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run: every check of every case, in processes of their own, to a list of results. Always complete:
// what was not reached stands in the list as not run.

#ifndef NPUKIT_CONFORMANCE_RUNNER_RUN_H_
#define NPUKIT_CONFORMANCE_RUNNER_RUN_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/plan/plan.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/device_pool.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct RunOptions {
  int jobs = 1;
  std::optional<double> timeout_s;   // for every check, instead of the kit's and the suites' own
  size_t max_failures = 0;           // stop after so many; 0: never
  bool isolate = true;               // false: all in this process, for a debugger
  const Waivers* waivers = nullptr;  // null: none are granted
  // If it is there: is given what the worker of an observed result saw.
  std::function<void(const std::string& result_name, const std::string& observed)> keep_observed;
  DevicePool* devices = nullptr;  // null: the dispatch library is this machine's
  std::function<void(size_t done, size_t total, size_t failed)> progress;  // may be empty
};

// `jobs`, or one for each processor if it is 0.
int JobsOr(int jobs);

// `jobs`, or one more than there are processors if it is 0: of checks, some of which wait for what a
// plugin left behind, or for a second to pass.
int CheckJobsOr(int jobs);

// What does not keep vendor code from the processes that judge it, as the kernel at hand has it; a
// sentence each. Runs no vendor code.
std::vector<std::string> FindIsolationGaps(const RunOptions& options);

// The work of one result, with its limits. Keeps references to both arguments.
PoolTask MakeTask(const PlannedCheck& planned, const PluginUnderTest& under_test,
                  const RunOptions& options);

// Results in the plan's order. Those that lost their device run once more, on a fresh worker there. `stop` ends the run early when it becomes true; it is set after
// max_failures, and when a handful of results hang in the same call.
litert::Expected<std::vector<CaseResult>> RunPlan(const std::vector<PlannedCheck>& plan,
                                                  const PluginUnderTest& under_test,
                                                  const RunOptions& options,
                                                  std::atomic<bool>& stop);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_RUN_H_
