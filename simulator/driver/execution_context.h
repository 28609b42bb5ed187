// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One entry point with its buffers, scratchpad and results.

#ifndef NPUKIT_SIMULATOR_DRIVER_EXECUTION_CONTEXT_H_
#define NPUKIT_SIMULATOR_DRIVER_EXECUTION_CONTEXT_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "simulator/device/simulation.h"
#include "simulator/driver/known_times.h"
#include "simulator/driver/loaded_module.h"
#include "simulator/units/zeroed_array.h"

namespace acme {

// The outcome of a submitted run, shared by its fence and its context.
class RunOutcome {
 public:
  void Set(std::optional<Error> error);
  // False: timeout_ms passed first. Negative: waits as long as it takes.
  bool Wait(int64_t timeout_ms);
  // After Wait returned true: what went wrong, if anything.
  const std::optional<Error>& error() const { return error_; }

 private:
  std::mutex mutex_;
  std::condition_variable done_signal_;
  bool done_ = false;
  std::optional<Error> error_;
};

// One thread at a time, except Cancel.
class ExecutionContext {
 public:
  ExecutionContext(std::shared_ptr<const LoadedModule> module, size_t entry);
  ~ExecutionContext();

  const LoadedModule& module() const { return *module_; }
  const ModuleEntry& entry() const { return module_->module.entries[entry_]; }

  // Of the program that the last run took: nullptr, the entry point's own.
  const ModuleVariant* variant() const { return variant_ ? &entry().variants[*variant_] : nullptr; }

  Expected<void> Bind(size_t binding, void* data, size_t size_bytes);
  Expected<void> UseWorkspace(void* data, size_t size_bytes);
  // In the calling thread.
  Expected<void> Run(const RunOptions& options);
  // In a thread of its own.
  Expected<std::shared_ptr<RunOutcome>> Submit(const RunOptions& options);
  void Cancel() { cancel_.store(true, std::memory_order_relaxed); }
  Expected<void> Reset();

  bool Busy() const { return running_.load(std::memory_order_acquire); }
  // Of the last run that succeeded; nullptr before.
  const RunResult* result() const { return result_ ? &*result_ : nullptr; }
  uint32_t failed_handle() const { return failed_handle_; }

 private:
  Expected<void> Prepare(const RunOptions& options);
  Expected<void> CheckBindings() const;
  Expected<void> MakeMemory();
  // By what the inputs hold.
  const Program& ChooseProgram(bool with_values);
  // Makes outputs begin as the inputs that they are to begin as; the bytes that it had to copy.
  int64_t FillOutputs(bool with_values);
  // The time of a program that ran before is known; its values are computed on every run.
  Expected<RunResult> RunOrRecall(const Program& program, RunOptions options, RunFailure& failure);
  Expected<void> Execute(RunOptions options);
  // Execute, after which the context is idle whatever happened.
  Expected<void> ExecuteAndRest(const RunOptions& options);
  void JoinWorker();

  struct Bound {
    uint8_t* data = nullptr;
    size_t size_bytes = 0;
  };

  std::shared_ptr<const LoadedModule> module_;
  size_t entry_;
  std::unique_ptr<Units> units_;          // made when values are first needed
  std::optional<ZeroedPages> workspace_;  // made when values are first needed
  Bound given_workspace_;                 // null: its own
  std::vector<Bound> bound_;
  std::atomic<bool> running_ = false;
  std::atomic<bool> cancel_ = false;
  std::optional<RunResult> result_;
  std::optional<size_t> variant_;
  KnownTimes times_;  // 0: of the entry point's own program, then of its variants
  size_t runs_without_time_ = 0;
  uint32_t failed_handle_ = 0;
  std::thread worker_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DRIVER_EXECUTION_CONTEXT_H_
