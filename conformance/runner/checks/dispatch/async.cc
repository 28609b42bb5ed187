// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on asynchronous runs. Libraries that report none are passed over.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_event.h"
#include "litert/cc/litert_macros.h"
#include "npukit/event_status.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// Long enough for most libraries to do wrong what they do wrong.
constexpr std::chrono::milliseconds kTemptation{20};

// The inputs are written while the run waits for an event; it must see them.
CheckAnswer WaitsForInputs(PartitionInvocation& loaded, const PartitionSource& source,
                           const FreshRuns& fresh) {
  if (source.num_inputs() == 0) return CheckReport::Pass();
  LITERT_ASSIGN_OR_RETURN(const auto gate, Gate::Create());
  const VendorInvocation& invocation = loaded.invocation();
  const LiteRtDispatchAsyncInterface& table = *invocation.device().library().tables().async;
  loaded.attached().WriteAll(fresh.inputs[0]);
  const LiteRtStatus attached = VendorCall("attach_input_event", table.attach_input_event,
                                           invocation.context(), 0, gate->event());
  NPUKIT_CHECK_THAT(attached == kLiteRtStatusOk, "attach_input_event gave " + StatusText(attached));
  LITERT_ASSIGN_OR_RETURN(const auto events, StartRun(invocation, source.num_outputs()));
  std::this_thread::sleep_for(kTemptation);
  bool is_signalled = false;
  for (const OwnedEvent& event : events) {
    bool one = false;
    LITERT_RETURN_IF_ERROR(LiteRtIsEventSignaled(event.get(), &one));
    is_signalled = is_signalled || one;
  }
  loaded.attached().WriteAll(fresh.inputs[1]);
  gate->Open();
  LITERT_RETURN_IF_ERROR(WaitForAll(events));
  NPUKIT_CHECK_THAT(!is_signalled, "an output was complete before the event of input 0");
  const std::string difference = OutputDifference(fresh.outputs[1], loaded.attached().ReadAll());
  NPUKIT_CHECK_THAT(difference.empty(), "input 0 was read before its event: " + difference);
  return CheckReport::Pass();
}

// Starts a run that can't succeed; whether anything tells that it did not.
litert::Expected<bool> IsReported(const VendorInvocation& invocation, size_t num_outputs) {
  const auto events = StartRun(invocation, num_outputs);
  if (!events) return true;
  LITERT_ASSIGN_OR_RETURN(const LiteRtStatus outcome, OutcomeOf(invocation, *events));
  return outcome != kLiteRtStatusOk;
}

CheckAnswer NextRunWorks(PartitionInvocation& loaded, const PartitionSource& source,
                         const FreshRuns& fresh, size_t number) {
  loaded.attached().WriteAll(fresh.inputs[number]);
  LITERT_ASSIGN_OR_RETURN(const auto events, StartRun(loaded.invocation(), source.num_outputs()));
  LITERT_ASSIGN_OR_RETURN(const LiteRtStatus outcome, OutcomeOf(loaded.invocation(), events));
  NPUKIT_CHECK_THAT(outcome == kLiteRtStatusOk,
                    "the run after a failed one ended with " + StatusText(outcome));
  const std::string difference =
      OutputDifference(fresh.outputs[number], loaded.attached().ReadAll());
  NPUKIT_CHECK_THAT(difference.empty(), "the run after a failed one: " + difference);
  return CheckReport::Pass();
}

// Waiting for it is an error: the end of a pipe that nobody reads any more.
litert::Expected<OwnedEvent> BrokenEvent() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the kit can make no pipe");
  close(ends[0]);
  LiteRtEvent event = nullptr;
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateEventFromSyncFenceFd(nullptr, ends[1], /*owns_fd=*/true, &event));
  return OwnedEvent(event);
}

}  // namespace

CheckAnswer async(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    if (!RunsAsynchronously(*device, source)) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    for (size_t run = 0; run < 4; ++run) {
      loaded->attached().WriteAll(fresh.inputs[run % 2]);
      LITERT_ASSIGN_OR_RETURN(const auto events,
                              StartRun(loaded->invocation(), source.num_outputs()));
      LITERT_RETURN_IF_ERROR(WaitForAll(events));
      const std::string difference =
          OutputDifference(fresh.outputs[run % 2], loaded->attached().ReadAll());
      NPUKIT_CHECK_THAT(
          difference.empty(),
          fmt::format("run {}, once its events were signalled: {}", run + 1, difference));
    }
    LITERT_ASSIGN_OR_RETURN(const CheckReport waits, WaitsForInputs(*loaded, source, fresh));
    if (waits.answer == CheckReport::Answer::kFail) return waits;
    // A synchronous run goes on working.
    LITERT_ASSIGN_OR_RETURN(const OutputSet outputs, loaded->Run(fresh.inputs[0]));
    const std::string difference = OutputDifference(fresh.outputs[0], outputs);
    NPUKIT_CHECK_THAT(difference.empty(), "a synchronous run after them: " + difference);
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer async_failure(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    if (!RunsAsynchronously(*device, source)) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    const VendorInvocation& invocation = loaded->invocation();
    const AttachedInvocation::Slot& slot = loaded->attached().slots().front();
    loaded->attached().WriteAll(fresh.inputs[0]);
    LiteRtStatus status = invocation.TryDetach(slot.port, slot.handle());
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "detaching a buffer gave " + StatusText(status));
    LITERT_ASSIGN_OR_RETURN(const bool missing, IsReported(invocation, source.num_outputs()));
    NPUKIT_CHECK_THAT(missing, "a run with a buffer missing ended as one that succeeded");
    status = invocation.TryAttach(slot.port, slot.handle());
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "attaching it again gave " + StatusText(status));
    LITERT_ASSIGN_OR_RETURN(CheckReport next, NextRunWorks(*loaded, source, fresh, 1));
    if (next.answer == CheckReport::Answer::kFail) return next;
    // LiteRT's events alone can't tell; a library that says that it does must.
    if (source.num_inputs() > 0 && EventStatusOf(invocation) != nullptr) {
      LITERT_ASSIGN_OR_RETURN(const auto broken, BrokenEvent());
      const auto attach = device->library().tables().async->attach_input_event;
      if (VendorCall("attach_input_event(an event that fails)", attach, invocation.context(), 0,
                     broken.get()) == kLiteRtStatusOk) {
        LITERT_ASSIGN_OR_RETURN(const bool broken_input,
                                IsReported(invocation, source.num_outputs()));
        NPUKIT_CHECK_THAT(broken_input,
                          "a run whose input's event failed ended as one that succeeded");
      }
      LITERT_ASSIGN_OR_RETURN(next, NextRunWorks(*loaded, source, fresh, 0));
      if (next.answer == CheckReport::Answer::kFail) return next;
    }
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

CheckAnswer async_bounds(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    if (!RunsAsynchronously(*device, source)) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    LITERT_ASSIGN_OR_RETURN(const auto gate, Gate::Create());
    const LiteRtDispatchAsyncInterface& table = *device->library().tables().async;
    const LiteRtDispatchInvocationContext context = loaded->invocation().context();
    const int past_outputs = static_cast<int>(source.num_outputs()) + 1;
    const int past_inputs = static_cast<int>(source.num_inputs());
    std::vector<LiteRtEvent> events(source.num_outputs() + 1, nullptr);
    const auto start = [&](const char* name, LiteRtDispatchInvocationContext which, int count,
                           LiteRtEvent* where) {
      return VendorCall(name, table.invoke_async, which, count, where) != kLiteRtStatusOk;
    };
    NPUKIT_CHECK_THAT(start("invoke_async(too many events)", context, past_outputs, events.data()),
                      "invoke_async took a place for more events than there are outputs");
    NPUKIT_CHECK_THAT(start("invoke_async(-1 events)", context, -1, events.data()),
                      "invoke_async took a negative number of events");
    NPUKIT_CHECK_THAT(start("invoke_async(null events)", context, past_outputs - 1, nullptr),
                      "invoke_async took a null pointer for its events");
    NPUKIT_CHECK_THAT(start("invoke_async(null)", nullptr, past_outputs - 1, events.data()),
                      "invoke_async took a null context");
    const auto attach = [&](const char* name, LiteRtDispatchInvocationContext which, int index,
                            LiteRtEvent event) {
      return VendorCall(name, table.attach_input_event, which, index, event) != kLiteRtStatusOk;
    };
    NPUKIT_CHECK_THAT(
        attach("attach_input_event(past the end)", context, past_inputs, gate->event()),
        "attach_input_event took an input that does not exist");
    NPUKIT_CHECK_THAT(attach("attach_input_event(-1)", context, -1, gate->event()),
                      "attach_input_event took input -1");
    NPUKIT_CHECK_THAT(attach("attach_input_event(null event)", context, 0, nullptr),
                      "attach_input_event took a null event");
    NPUKIT_CHECK_THAT(attach("attach_input_event(null)", nullptr, 0, gate->event()),
                      "attach_input_event took a null context");
    LITERT_RETURN_IF_ERROR(loaded->Close());
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
