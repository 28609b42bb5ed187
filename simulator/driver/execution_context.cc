// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/execution_context.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "simulator/driver/float_mode.h"
#include "simulator/module/variants.h"

namespace acme {

void RunOutcome::Set(std::optional<Error> error) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    error_ = std::move(error);
    done_ = true;
  }
  done_signal_.notify_all();
}

bool RunOutcome::Wait(int64_t timeout_ms) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (timeout_ms < 0) {
    done_signal_.wait(lock, [this] { return done_; });
    return true;
  }
  return done_signal_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                               [this] { return done_; });
}

ExecutionContext::ExecutionContext(std::shared_ptr<const LoadedModule> module, size_t entry)
    : module_(std::move(module)),
      entry_(entry),
      bound_(module_->module.entries[entry].bindings.size()) {}

// A run that was submitted works with this context's memory to its end.
ExecutionContext::~ExecutionContext() { JoinWorker(); }

void ExecutionContext::JoinWorker() {
  if (worker_.joinable()) worker_.join();
}

Expected<void> ExecutionContext::Bind(size_t binding, void* data, size_t size_bytes) {
  if (binding >= bound_.size()) {
    return Error(ErrorCode::kInvalidArgument, fmt::format("there is no binding {}; {} has {}",
                                                          binding, entry().name, bound_.size()));
  }
  if (Busy()) return Error(ErrorCode::kInvalidArgument, "the context is running");
  const ModuleBinding& wanted = entry().bindings[binding];
  if (data == nullptr && size_bytes != 0)
    return Error(ErrorCode::kInvalidArgument, "binding " + wanted.name + " is null");
  if (data != nullptr && size_bytes < wanted.size_bytes) {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("binding {} needs {} bytes, got {}", wanted.name, wanted.size_bytes,
                             size_bytes));
  }
  bound_[binding] = {static_cast<uint8_t*>(data), size_bytes};
  return {};
}

Expected<void> ExecutionContext::UseWorkspace(void* data, size_t size_bytes) {
  const uint64_t needed_bytes = entry().workspace_bytes;
  if (data == nullptr && size_bytes != 0)
    return Error(ErrorCode::kInvalidArgument, "the workspace is null");
  if (data != nullptr && size_bytes < needed_bytes) {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("the workspace of {} needs {} bytes, got {}", entry().name,
                             needed_bytes, size_bytes));
  }
  given_workspace_ = {static_cast<uint8_t*>(data), size_bytes};
  if (data != nullptr) workspace_.reset();
  return {};
}

Expected<void> ExecutionContext::CheckBindings() const {
  for (size_t i = 0; i < bound_.size() && given_workspace_.data != nullptr; ++i) {
    const ModuleBinding& binding = entry().bindings[i];
    const bool overlap = bound_[i].data < given_workspace_.data + entry().workspace_bytes &&
                         given_workspace_.data < bound_[i].data + binding.size_bytes;
    if (overlap) {
      return Error(ErrorCode::kInvalidArgument, "the workspace overlaps binding " + binding.name);
    }
  }
  for (size_t i = 0; i < bound_.size(); ++i) {
    const ModuleBinding& wanted = entry().bindings[i];
    if (bound_[i].data == nullptr && wanted.size_bytes != 0) {
      return Error(ErrorCode::kInvalidArgument, "binding " + wanted.name + " is not bound");
    }
    for (size_t j = 0; j < bound_.size() && wanted.output; ++j) {
      if (wanted.initial == j + 1 && bound_[i].data == bound_[j].data) continue;
      const bool overlap = i != j &&
                           bound_[i].data < bound_[j].data + entry().bindings[j].size_bytes &&
                           bound_[j].data < bound_[i].data + wanted.size_bytes;
      if (overlap) {
        return Error(ErrorCode::kInvalidArgument,
                     "output " + wanted.name + " overlaps binding " + entry().bindings[j].name);
      }
    }
  }
  return {};
}

Expected<void> ExecutionContext::Prepare(const RunOptions& options) {
  if (options.mode != RunMode::kTimeOnly) ACME_RETURN_IF_ERROR(CheckBindings());
  bool idle = false;
  // Two threads that use a context at once are a mistake; it is told, not raced.
  if (!running_.compare_exchange_strong(idle, true))
    return Error(ErrorCode::kInvalidArgument, "the context is running");
  JoinWorker();  // of the last submitted run, which is over
  // What was cancelled until here was an earlier run.
  cancel_.store(false, std::memory_order_relaxed);
  return {};
}

// Pages of the workspace are the program's as it touches them.
Expected<void> ExecutionContext::MakeMemory() {
  if (units_ == nullptr) units_ = std::make_unique<Units>(*module_->hardware);
  const uint64_t bytes = entry().workspace_bytes;
  if (workspace_ || given_workspace_.data != nullptr || bytes == 0) return {};
  try {
    workspace_.emplace(bytes);
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kInvalidArgument,
                 fmt::format("no memory for a workspace of {} bytes", bytes));
  }
  return {};
}

Expected<void> ExecutionContext::ExecuteAndRest(const RunOptions& options) {
  const ChipFloatMode mode;
  Expected<void> status;
  try {
    status = Execute(options);
  } catch (const std::exception& e) {  // memory, in a thread where nobody else would catch it
    status = Error(ErrorCode::kInvalidArgument, fmt::format("the run failed: {}", e.what()));
  }
  // Pairs with Busy(): who sees the context idle sees the run's result.
  running_.store(false, std::memory_order_release);
  return status;
}

int64_t ExecutionContext::FillOutputs(bool with_values) {
  int64_t copied_bytes = 0;
  for (size_t i = 0; i < bound_.size(); ++i) {
    const ModuleBinding& binding = entry().bindings[i];
    if (binding.initial == 0) continue;
    const Bound& from = bound_[binding.initial - 1];
    // Bound to the same memory, the output begins as the input without a copy.
    if (from.data == bound_[i].data) continue;
    copied_bytes += static_cast<int64_t>(binding.size_bytes);
    if (with_values) std::memcpy(bound_[i].data, from.data, binding.size_bytes);
  }
  return copied_bytes;
}

const Program& ExecutionContext::ChooseProgram(bool with_values) {
  const EntryPrograms& programs = module_->programs[entry_];
  variant_.reset();
  if (with_values && !programs.variants.empty()) {
    std::vector<const uint8_t*> bindings;
    for (const Bound& bound : bound_) bindings.push_back(bound.data);
    variant_ = ChooseVariant(entry(), bindings);
  }
  return variant_ ? programs.variants[*variant_] : programs.own;
}

// Engines that go last in runs without time, one after the other: what does not wait for one of them
// though it should makes wrong values within so many runs.
constexpr std::array kLastInTurn = {Engine::kVector, Engine::kLoad, Engine::kStore,
                                    Engine::kMatrix};

Expected<RunResult> ExecutionContext::RunOrRecall(const Program& program, RunOptions options,
                                                  RunFailure& failure) {
  const size_t number = variant_ ? *variant_ + 1 : 0;
  const bool in_time = options.mode != RunMode::kFunctionOnly;
  std::optional<RunResult> known;
  if (in_time) known = times_.Find(number, options);
  if (known && options.mode == RunMode::kTimeOnly) return std::move(*known);
  if (known) options.mode = RunMode::kFunctionOnly;
  if (options.mode == RunMode::kFunctionOnly)
    options.last = kLastInTurn[runs_without_time_++ % kLastInTurn.size()];
  ACME_ASSIGN_OR_RETURN(RunResult result,
                        RunProgram(program, *module_->hardware, units_.get(), options, &failure));
  if (known) return std::move(*known);
  if (in_time) times_.Keep(number, options, result);
  return result;
}

Expected<void> ExecutionContext::Execute(RunOptions options) {
  options.cancel = &cancel_;
  options.handle_name = [module = module_.get()](uint32_t handle) {
    return module->HandleName(handle);
  };
  if (options.mode != RunMode::kTimeOnly) {
    ACME_RETURN_IF_ERROR(MakeMemory());
    std::vector<uint8_t*>& buffers = units_->memory().buffers;
    // The verifier lets nobody write constants.
    uint8_t* const workspace = workspace_ ? workspace_->data() : given_workspace_.data;
    buffers = {const_cast<uint8_t*>(module_->module.constants.data()), workspace};
    for (const Bound& bound : bound_) buffers.push_back(bound.data);
  }
  const int64_t copied_bytes = FillOutputs(options.mode != RunMode::kTimeOnly);
  if (options.check_races) {
    options.buffer_bytes = {static_cast<int64_t>(module_->module.constants.size()),
                            static_cast<int64_t>(entry().workspace_bytes)};
    for (const ModuleBinding& binding : entry().bindings)
      options.buffer_bytes.push_back(static_cast<int64_t>(binding.size_bytes));
  }
  RunFailure failure;
  result_.reset();
  failed_handle_ = 0;
  Expected<RunResult> result =
      RunOrRecall(ChooseProgram(options.mode != RunMode::kTimeOnly), options, failure);
  if (!result) {
    failed_handle_ = failure.handle;
    return result.Error();
  }
  result_ = std::move(*result);
  CountDriverCopy(copied_bytes, *module_->hardware, result_->counters);
  return {};
}

Expected<void> ExecutionContext::Run(const RunOptions& options) {
  ACME_RETURN_IF_ERROR(Prepare(options));
  return ExecuteAndRest(options);
}

Expected<std::shared_ptr<RunOutcome>> ExecutionContext::Submit(const RunOptions& options) {
  auto outcome = std::make_shared<RunOutcome>();
  ACME_RETURN_IF_ERROR(Prepare(options));
  try {
    worker_ = std::thread([this, options, outcome] {
      // At rest before the fence opens: whoever waited for it may run the context again.
      Expected<void> status = ExecuteAndRest(options);
      outcome->Set(status ? std::nullopt : std::optional<Error>(status.Error()));
    });
  } catch (const std::exception& e) {  // no thread, or no memory for what it is given
    running_.store(false, std::memory_order_release);
    return Error(ErrorCode::kInvalidArgument, fmt::format("the run cannot begin: {}", e.what()));
  }
  return outcome;
}

Expected<void> ExecutionContext::Reset() {
  if (Busy()) return Error(ErrorCode::kInvalidArgument, "the context is running");
  JoinWorker();
  result_.reset();
  failed_handle_ = 0;
  if (units_ != nullptr) units_->memory().Clear();
  workspace_.reset();
  return {};
}

}  // namespace acme
