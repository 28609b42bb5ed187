// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on asynchronous runs beside locks of their buffers. LiteRT sets each event
// that invoke_async gave on the buffer of its output; who locks that buffer then waits for the event.
// So a run that locks its own outputs waits for itself, and one that finds them locked by the
// application fails.

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance::checks::dispatch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How long a run may take that took `alone` without locks and events.
milliseconds Patience(Clock::duration alone) {
  return milliseconds(3000) + 20 * std::chrono::duration_cast<milliseconds>(alone);
}

std::vector<LiteRtTensorBuffer> OutputBuffers(PartitionInvocation& loaded) {
  std::vector<LiteRtTensorBuffer> buffers;
  for (const AttachedInvocation::Slot& slot : loaded.attached().slots()) {
    if (!slot.port.is_input) buffers.push_back(slot.buffer->registration().buffer());
  }
  return buffers;
}

// The events of a run, each on its output's buffer, which owns it.
class EventsOnBuffers {
 public:
  explicit EventsOnBuffers(std::vector<LiteRtTensorBuffer> buffers)
      : buffers_(std::move(buffers)) {}
  ~EventsOnBuffers() {
    for (LiteRtTensorBuffer buffer : buffers_) LiteRtClearTensorBufferEvent(buffer);
  }
  litert::Expected<void> Set(RunEvents events) {
    for (size_t i = 0; i < events.size() && i < buffers_.size(); ++i) {
      events_.push_back(events[i].get());
      LITERT_RETURN_IF_ERROR(LiteRtSetTensorBufferEvent(buffers_[i], events[i].release()));
    }
    return {};
  }
  const std::vector<LiteRtTensorBuffer>& buffers() const { return buffers_; }
  // Lent by the buffers.
  const std::vector<LiteRtEvent>& events() const { return events_; }

 private:
  std::vector<LiteRtTensorBuffer> buffers_;
  std::vector<LiteRtEvent> events_;
};

// False if the run is not over in time.
litert::Expected<bool> EndsInTime(const std::vector<LiteRtEvent>& events, milliseconds patience) {
  for (LiteRtEvent event : events) {
    const LiteRtStatus status =
        VendorCall("waiting for an output event", LiteRtWaitEvent, event, patience.count());
    if (status == kLiteRtStatusErrorTimeoutExpired) return false;
    if (status != kLiteRtStatusOk) return CallFailed("waiting for an output event", status);
  }
  return true;
}

// Locks and unlocks each buffer on a thread of its own, which is left behind if that takes too long.
bool LocksInTime(std::vector<LiteRtTensorBuffer> buffers, milliseconds patience) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> is_done = done->get_future();
  std::thread([done, buffers = std::move(buffers)] {
    for (LiteRtTensorBuffer buffer : buffers) {
      void* address = nullptr;
      if (LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead) ==
          kLiteRtStatusOk)
        LiteRtUnlockTensorBuffer(buffer);
    }
    done->set_value();
  }).detach();
  return is_done.wait_for(patience) == std::future_status::ready;
}

// What a run is beside.
enum class Beside {
  kWaitForEvents,  // the events are waited for, and then the outputs locked
  kWaitForLocks,   // the outputs are locked while the run is under way
  kHeldLocks,      // an application holds locks on the outputs from before the run
};

const char* Describe(Beside beside) {
  switch (beside) {
    case Beside::kWaitForEvents:
      return "with its events on the outputs' buffers, as LiteRT sets them,";
    case Beside::kWaitForLocks:
      return "while the application waits for the locks of its outputs";
    case Beside::kHeldLocks:
      return "while the application holds locks on its outputs";
  }
  return "";
}

// The run is held up until all is set. Nothing may be closed after a failure: the run may hang.
CheckAnswer RunBeside(PartitionInvocation& loaded, const PartitionSource& source, Beside beside,
                      const InputSet& inputs, const OutputSet& expected, milliseconds patience) {
  const VendorInvocation& invocation = loaded.invocation();
  const std::vector<LiteRtTensorBuffer> outputs = OutputBuffers(loaded);
  std::unique_ptr<Gate> gate;
  if (source.num_inputs() > 0) {
    LITERT_ASSIGN_OR_RETURN(gate, Gate::Create());
    const auto attach = invocation.device().library().tables().async->attach_input_event;
    const LiteRtStatus attached =
        VendorCall("attach_input_event", attach, invocation.context(), 0, gate->event());
    NPUKIT_CHECK_THAT(attached == kLiteRtStatusOk,
                      "attach_input_event gave " + StatusText(attached));
  }
  loaded.attached().WriteAll(inputs);
  if (beside == Beside::kHeldLocks) {
    for (LiteRtTensorBuffer buffer : outputs) {
      void* address = nullptr;
      LITERT_RETURN_IF_ERROR(
          LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeRead));
    }
  }
  LITERT_ASSIGN_OR_RETURN(RunEvents owned, StartRun(invocation, source.num_outputs()));
  EventsOnBuffers on_buffers(beside == Beside::kHeldLocks ? std::vector<LiteRtTensorBuffer>()
                                                          : outputs);
  std::vector<LiteRtEvent> events;
  for (const OwnedEvent& event : owned) events.push_back(event.get());
  if (beside != Beside::kHeldLocks) {
    LITERT_RETURN_IF_ERROR(on_buffers.Set(std::move(owned)));
    owned.clear();
  }
  if (gate != nullptr) gate->Open();
  bool is_in_time = true;
  if (beside == Beside::kWaitForLocks) is_in_time = LocksInTime(outputs, patience);
  if (is_in_time) {
    LITERT_ASSIGN_OR_RETURN(is_in_time, EndsInTime(events, patience));
  }
  if (!is_in_time) {
    (void)gate.release();
    for (OwnedEvent& event : owned) (void)event.release();
    return CheckReport::Fail(
        fmt::format("a run {} was not over after {} ms: a run that locks its own outputs waits for "
                    "itself",
                    Describe(beside), patience.count()));
  }
  LiteRtStatus outcome = kLiteRtStatusOk;
  if (beside == Beside::kHeldLocks) {
    LITERT_ASSIGN_OR_RETURN(outcome, OutcomeOf(invocation, owned));
    for (LiteRtTensorBuffer buffer : outputs)
      LITERT_RETURN_IF_ERROR(LiteRtUnlockTensorBuffer(buffer));
  }
  NPUKIT_CHECK_THAT(outcome == kLiteRtStatusOk,
                    fmt::format("a run {} ended with {}", Describe(beside), StatusText(outcome)));
  const std::string difference = OutputDifference(expected, loaded.attached().ReadAll());
  NPUKIT_CHECK_THAT(difference.empty(), fmt::format("a run {}: {}", Describe(beside), difference));
  return CheckReport::Pass();
}

CheckAnswer RunBesideAll(PartitionInvocation& loaded, const PartitionSource& source,
                         const FreshRuns& fresh, int rounds) {
  const Clock::time_point begin = Clock::now();
  LITERT_RETURN_IF_ERROR(loaded.Run(fresh.inputs[0]));
  const milliseconds patience = Patience(Clock::now() - begin);
  for (int round = 0; round < rounds; ++round) {
    for (Beside beside : {Beside::kWaitForEvents, Beside::kHeldLocks, Beside::kWaitForLocks}) {
      const size_t set = static_cast<size_t>(round) % fresh.inputs.size();
      LITERT_ASSIGN_OR_RETURN(
          const CheckReport report,
          RunBeside(loaded, source, beside, fresh.inputs[set], fresh.outputs[set], patience));
      if (report.answer == CheckReport::Answer::kFail) return report;
    }
  }
  return CheckReport::Pass();
}

constexpr int kRounds = 8;
constexpr size_t kThreads = 4;
constexpr int kRoundsPerThread = 5;

}  // namespace

CheckAnswer async_locks(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(auto device, OpenDevice(bench));
    if (!RunsAsynchronously(*device, source)) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(auto loaded, PartitionInvocation::Load(*device, source));
    auto report = RunBesideAll(*loaded, source, fresh, kRounds);
    if (!report || report->answer == CheckReport::Answer::kFail) {
      // A run that hangs would hang whoever closes its context, too.
      (void)loaded.release();
      (void)device.release();
      return report;
    }
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer async_threads(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(auto device, OpenDevice(bench));
    if (!RunsAsynchronously(*device, source)) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, kThreads));
    std::vector<std::unique_ptr<PartitionInvocation>> contexts;
    for (size_t i = 0; i < kThreads; ++i) {
      LITERT_ASSIGN_OR_RETURN(auto loaded, PartitionInvocation::Load(*device, source));
      contexts.push_back(std::move(loaded));
    }
    std::vector<std::string> problems(kThreads);
    std::latch all_ready(kThreads);
    std::vector<std::thread> workers;
    for (size_t i = 0; i < kThreads; ++i) {
      workers.emplace_back([&, i] {
        all_ready.arrive_and_wait();
        const auto report = RunBesideAll(*contexts[i], source, fresh, kRoundsPerThread);
        if (!report) {
          problems[i] = report.Error().Message();
        } else if (report->answer == CheckReport::Answer::kFail) {
          problems[i] = report->detail;
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    for (const std::string& problem : problems) {
      if (problem.empty()) continue;
      for (auto& context : contexts) (void)context.release();
      (void)device.release();
      return CheckReport::Fail("beside other threads: " + problem);
    }
    for (auto& context : contexts) LITERT_RETURN_IF_ERROR(context->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
