// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One question, asked in a worker and waited for: what only vendor code can answer.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_ANSWER_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_ANSWER_H_

#include <functional>
#include <string>

#include "conformance/runner/process/child_process.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct WorkerAnswer {
  // What was answered: bytes of any kind, or the error with its status. If nothing was, a runtime
  // failure which says how the worker ended, and in which stage ("the process crashed with SIGSEGV in dlopen").
  litert::Expected<std::string> text;
  bool answered = false;
};

// For work of a check: the runner's limit for the check comes first.
ChildLimits LimitedByRunner();

// Runs `ask` in a worker (child_process.h).
WorkerAnswer AskWorker(const std::function<litert::Expected<std::string>()>& ask,
                       const ChildLimits& limits = {});

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_WORKER_ANSWER_H_
