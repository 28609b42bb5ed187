// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Work whose end is always known: the caller waits in one process, the work is done in another.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_SUPERVISOR_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_SUPERVISOR_H_

#include <chrono>
#include <functional>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct SupervisedEnd {
  int exit_code = 0;
  // Why the work did not end by itself: "was ended by SIGKILL". Empty: it did.
  std::string cut_short;
};

// Runs `work` in a child of this process, which must have one thread, and waits for it. The child's
// exit code is what `work` returns. SIGINT and SIGTERM are handed on to it. If this process is
// killed, so is the child. A child that is stopped by SIGSTOP for longer than `longest_stop`, while
// this process runs, is killed.
litert::Expected<SupervisedEnd> Supervise(const std::function<int()>& work,
                                          std::chrono::milliseconds longest_stop);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_SUPERVISOR_H_
