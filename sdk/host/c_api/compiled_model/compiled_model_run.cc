// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a compiled model, synchronous and not.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/c_api/buffers/event.h"
#include "sdk/host/c_api/buffers/tensor_buffer.h"
#include "sdk/host/c_api/compiled_model/compiled_model.h"
#include "sdk/host/c_api/compiled_model/profiler.h"

namespace {

using npukit::PortInfo;
using npukit::SignatureRunner;

// A buffer's memory while it is locked. Does not wait for its event.
class Locked {
 public:
  static litert::Expected<Locked> Lock(LiteRtTensorBuffer buffer, LiteRtTensorBufferLockMode mode,
                                       const PortInfo& port) {
    LITERT_RETURN_IF_ERROR(Check(buffer, port));
    if (!buffer->TryLock(mode)) {
      return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                "'" + port.name + "': the buffer can't be locked");
    }
    if (LiteRtStatus status = buffer->Map(mode); status != kLiteRtStatusOk) {
      buffer->Unlock();
      return litert::Unexpected(status, "'" + port.name + "': the buffer can't be mapped");
    }
    size_t size_bytes = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer, &size_bytes));
    return Locked(buffer, {static_cast<uint8_t*>(buffer->address()), size_bytes});
  }
  static litert::Expected<void> Check(LiteRtTensorBuffer buffer, const PortInfo& port) {
    if (buffer == nullptr) return BadBuffer(port, "no buffer");
    size_t size_bytes = 0;
    LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer, &size_bytes));
    // Of a shape that only a run shows the size is looked at when it has run.
    if (size_bytes >= port.size_bytes || !port.has_fixed_shape) return {};
    return BadBuffer(port,
                     fmt::format("a buffer of {} bytes, expected {}", size_bytes, port.size_bytes));
  }
  Locked(Locked&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)), bytes_(other.bytes_) {}
  Locked& operator=(Locked&&) = delete;
  ~Locked() {
    if (buffer_ != nullptr) buffer_->UnmapAndUnlock();
  }
  // All of it: as long as the port's value, or longer.
  std::span<uint8_t> bytes() const { return bytes_; }

 private:
  Locked(LiteRtTensorBuffer buffer, std::span<uint8_t> bytes) : buffer_(buffer), bytes_(bytes) {}

  LiteRtTensorBuffer buffer_;
  std::span<uint8_t> bytes_;
};

uint64_t NowUs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

litert::Expected<void> WaitFor(const LiteRtEventT* event, const PortInfo& port) {
  if (event == nullptr) return {};
  const LiteRtStatus status = event->Wait(/*timeout_ms=*/-1);
  if (status == kLiteRtStatusOk) return {};
  return litert::Unexpected(status, "'" + port.name + "': what its event stands for failed");
}

// The events of outputs are the runtime's to set: as in LiteRT, a run does not take a buffer that
// still has one. Asks nothing of the runner, which a run under way may be planning anew.
litert::Expected<void> CheckHaveNoEvents(std::span<const LiteRtTensorBuffer> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] == nullptr || outputs[i]->event() == nullptr) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("output {}: the buffer has an event, of an earlier run or the caller's; an "
                    "output must have none: LiteRtWaitEvent, then LiteRtClearTensorBufferEvent",
                    i));
  }
  return {};
}

struct BufferRelease {
  void operator()(LiteRtTensorBufferT* buffer) const { LiteRtDestroyTensorBuffer(buffer); }
};

std::shared_ptr<LiteRtTensorBufferT> Share(LiteRtTensorBuffer buffer) {
  buffer->AddReference();
  return {buffer, BufferRelease()};
}

}  // namespace

litert::Unexpected npukit::BadBuffer(const PortInfo& port, const std::string& what) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, "'" + port.name + "': " + what);
}

// What a run under way holds on to.
struct LiteRtCompiledModelT::AsyncRun {
  SignatureRunner* runner = nullptr;
  std::vector<std::shared_ptr<LiteRtTensorBufferT>> owned;
  std::vector<LiteRtTensorBuffer> inputs;
  std::vector<LiteRtTensorBuffer> outputs;
  std::vector<std::unique_ptr<LiteRtEventT>> wait_for;  // one per input; null for none
  LiteRtOptions options = nullptr;
  std::optional<LiteRtSchedulingInfo> scheduling;
};

litert::Expected<void> LiteRtCompiledModelT::CheckCounts(size_t signature, size_t num_inputs,
                                                         size_t num_outputs) {
  LITERT_ASSIGN_OR_RETURN(const SignatureRunner* runner, KnownRunner(signature));
  if (num_inputs == runner->inputs().size() && num_outputs == runner->outputs().size()) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("{} input and {} output buffers, expected {} and {}", num_inputs, num_outputs,
                  runner->inputs().size(), runner->outputs().size()));
}

litert::Expected<void> LiteRtCompiledModelT::Compute(SignatureRunner& runner,
                                                     std::span<const LiteRtTensorBuffer> inputs,
                                                     std::span<const LiteRtTensorBuffer> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(
        const Locked locked,
        Locked::Lock(inputs[i], kLiteRtTensorBufferLockModeRead, runner.inputs()[i]));
    // Unlocked once copied, so that a buffer may be an input and an output of one run.
    LITERT_RETURN_IF_ERROR(runner.SetInput(i, locked.bytes().first(runner.inputs()[i].size_bytes)));
  }
  // Looked at before anything is computed.
  std::vector<Locked> results;
  results.reserve(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(
        Locked locked,
        Locked::Lock(outputs[i], kLiteRtTensorBufferLockModeWrite, runner.outputs()[i]));
    results.push_back(std::move(locked));
  }
  if (IsCancelled()) return litert::Unexpected(kLiteRtStatusCancelled, "cancelled");
  const uint64_t begin_us = NowUs();
  LITERT_RETURN_IF_ERROR(runner.Run());
  if (profiler_ != nullptr) {
    profiler_->Add("Invoke", GENERAL_RUNTIME_INSTRUMENTATION_EVENT, begin_us, NowUs() - begin_us, 0,
                   0);
  }
  if (IsCancelled()) return litert::Unexpected(kLiteRtStatusCancelled, "cancelled");
  for (size_t i = 0; i < results.size(); ++i) {
    const std::span<const uint8_t> bytes = runner.output(i);
    if (bytes.size() > results[i].bytes().size()) {
      return BadBuffer(runner.outputs()[i], fmt::format("a buffer of {} bytes, the run gave {}",
                                                        results[i].bytes().size(), bytes.size()));
    }
    std::copy(bytes.begin(), bytes.end(), results[i].bytes().begin());
  }
  return {};
}

litert::Expected<void> LiteRtCompiledModelT::RunNow(SignatureRunner& runner,
                                                    std::span<const LiteRtTensorBuffer> inputs,
                                                    std::span<const LiteRtTensorBuffer> outputs,
                                                    const RunSettings& settings) {
  if (settings.options == nullptr && settings.scheduling == nullptr)
    return Compute(runner, inputs, outputs);
  litert::Expected<void> result = runner.SetRunOptions(settings.options);
  if (result) result = runner.SetSchedulingInfo(settings.scheduling);
  if (result) result = Compute(runner, inputs, outputs);
  // The next run has none of them, whatever became of this one.
  (void)runner.SetSchedulingInfo(nullptr);
  (void)runner.SetRunOptions(nullptr);
  return result;
}

litert::Expected<void> LiteRtCompiledModelT::RunWith(size_t signature,
                                                     std::span<const LiteRtTensorBuffer> inputs,
                                                     std::span<const LiteRtTensorBuffer> outputs,
                                                     const RunSettings& settings) {
  LITERT_RETURN_IF_ERROR(CheckHaveNoEvents(outputs));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, Runner(signature));
  LITERT_RETURN_IF_ERROR(CheckCounts(signature, inputs.size(), outputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr)
      LITERT_RETURN_IF_ERROR(WaitFor(inputs[i]->event(), runner->inputs()[i]));
  }
  RunSettings all = settings;
  if (all.scheduling == nullptr && scheduling_) all.scheduling = &*scheduling_;
  return RunNow(*runner, inputs, outputs, all);
}

litert::Expected<void> LiteRtCompiledModelT::RunAsync(
    size_t signature, std::span<const LiteRtTensorBuffer> inputs,
    std::span<const LiteRtTensorBuffer> outputs, const RunSettings& settings, bool* is_async,
    void (*on_error)(LiteRtCompiledModel, const litert::Error&)) {
  if (is_async != nullptr) *is_async = false;
  LITERT_RETURN_IF_ERROR(CheckHaveNoEvents(outputs));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, KnownRunner(signature));
  if (!runner->is_static()) Settle();  // a run under way may plan what is looked at here
  // Without an output there is no event to tell the end.
  if (!runner->IsAsync() || outputs.empty()) return RunWith(signature, inputs, outputs, settings);
  LITERT_RETURN_IF_ERROR(CheckCounts(signature, inputs.size(), outputs.size()));
  auto run = std::make_shared<AsyncRun>();
  run->runner = runner;
  run->options = settings.options;
  if (settings.scheduling != nullptr) run->scheduling = *settings.scheduling;
  if (!run->scheduling) run->scheduling = scheduling_;
  for (size_t i = 0; i < inputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(Locked::Check(inputs[i], runner->inputs()[i]));
    const LiteRtEventT* event = inputs[i]->event();
    // An own hold on what is behind the event: the application may clear or replace the buffer's
    // while this run waits its turn.
    run->wait_for.push_back(event != nullptr ? event->Share() : nullptr);
    if (event != nullptr && run->wait_for.back() == nullptr)
      return BadBuffer(runner->inputs()[i], "its event can't be waited for");
    run->owned.push_back(Share(inputs[i]));
    run->inputs.push_back(inputs[i]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    LITERT_RETURN_IF_ERROR(Locked::Check(outputs[i], runner->outputs()[i]));
    run->owned.push_back(Share(outputs[i]));
    run->outputs.push_back(outputs[i]);
  }
  // Its one reference goes to the queue; each event takes one of its own. The events are set before
  // the run can begin, so that whoever locks an output after this call has returned waits.
  auto* completion = new npukit::RunCompletion;
  for (LiteRtTensorBuffer output : outputs) output->set_event(new LiteRtEventT(completion));
  runs_.Submit(
      // `this` outlives the run: the destructor waits for the queue first.
      [this, run, on_error]() -> LiteRtStatus {
        litert::Expected<void> result;
        for (size_t i = 0; i < run->wait_for.size() && result; ++i)
          result = WaitFor(run->wait_for[i].get(), run->runner->inputs()[i]);
        if (result) {
          result = RunNow(*run->runner, run->inputs, run->outputs,
                          {.options = run->options,
                           .scheduling = run->scheduling ? &*run->scheduling : nullptr});
        }
        if (result) return kLiteRtStatusOk;
        on_error(this, result.Error());
        return result.Error().Status();
      },
      completion);
  if (is_async != nullptr) *is_async = true;
  return {};
}
