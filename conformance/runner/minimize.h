// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The smallest form of a failure: its model shrunk step by step while the check goes on failing in
// the same way, each try in a process of its own.

#ifndef NPUKIT_CONFORMANCE_RUNNER_MINIMIZE_H_
#define NPUKIT_CONFORMANCE_RUNNER_MINIMIZE_H_

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/runner/run.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct MinimizeOptions {
  std::string folder;       // gets a folder for each failure
  size_t max_failures = 8;  // one of each group of failures
  size_t max_tries = 200;   // for each
  double max_seconds = 20;  // for each
  RunOptions run;           // limits of the processes
};

// Writes FOLDER/NAME/{model.tflite, input_*.bin, case.yaml} for the first failure of each group
// that has a model, and, where what was written fails alike when it is read back, the command that
// shows it again into info.reproductions. What can't be shrunk is written as it is. `stop` ends it
// early.
litert::Expected<void> MinimizeFailures(const std::vector<PlannedCheck>& plan,
                                        const std::vector<CaseResult>& results,
                                        const PluginUnderTest& under_test,
                                        const MinimizeOptions& options, RunInfo& info,
                                        std::atomic<bool>& stop);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_MINIMIZE_H_
