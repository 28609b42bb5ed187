// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Work in a process of its own. Whatever happens to it (a crash, exit(), a hang, too much memory or
// output) comes back as an outcome with all that is known: signal, stack, stage, captured output.
//
// The worker is forked, not executed anew: it starts with everything that the parent has read, and
// thousands of cases cost a millisecond each. The parent must therefore have one thread only, and
// must never load a vendor's library itself.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_PROCESS_H_
#define NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observation/child_outcome.h"
#include "conformance/runner/process/stage_page.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct ChildLimits {
  std::chrono::milliseconds timeout{10'000};  // of the wall clock
  uint64_t memory_bytes = uint64_t{4}
                          << 30;  // of address space; 0: none. Ignored under a sanitizer
  uint64_t output_bytes = uint64_t{1} << 20;  // each of standard output and standard error
  std::vector<int> inherited_fds = {};        // of the parent's, which the worker keeps
};

// A running worker. Not thread-safe.
class ChildProcess {
 public:
  // The work's return value is the report. It runs on the main thread of the worker; when it
  // returns, the worker ends without running destructors or atexit handlers.
  using Work = std::function<std::string()>;

  static litert::Expected<std::unique_ptr<ChildProcess>> Start(const Work& work,
                                                               const ChildLimits& limits);
  // Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Reads what is there to read without waiting, enforces the limits. True once the outcome is
  // complete.
  bool Poll();
  // Descriptors to wait on: those still open, as poll(2) wants them. -1 where closed.
  static constexpr int kPipes = 4;
  const int* descriptors() const { return pipes_; }
  std::chrono::steady_clock::time_point deadline() const { return deadline_; }

  void Cancel();
  // Only after Poll() gave true.
  const ChildOutcome& outcome() const { return outcome_; }
  // Likewise, once.
  ChildOutcome TakeOutcome() { return std::move(outcome_); }

 private:
  // What each pipe carries.
  enum Pipe { kReport, kStack, kOutput, kError };

  ChildProcess() = default;
  void ReadPipe(Pipe pipe, std::string& into, uint64_t limit_bytes);
  void ReadPipes();
  void Stop(ChildOutcome::End end);
  void Kill(int signal);
  bool Reap();
  void Finish(int status);

  pid_t pid_ = -1;
  // Stands before and after the report, so that what others write there is told from it.
  std::string seal_;
  int pipes_[kPipes] = {-1, -1, -1, -1};
  StagePage* stage_ = nullptr;
  ChildLimits limits_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point deadline_;
  bool stopping_ = false;  // a limit was hit: the stop signal is out, the kill follows
  bool done_ = false;
  std::string raw_report_;
  ChildOutcome outcome_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PROCESS_CHILD_PROCESS_H_
