// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Checks of class dispatch on asynchronous runs. Libraries that report none are passed over.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/async_run.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_event.h"
#include "litert/cc/litert_macros.h"
#include "npukit/extensions/event_status.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// Long enough for most libraries to do wrong what they do wrong.
constexpr std::chrono::milliseconds kTemptation{20};

litert::Expected<OutputSet> ObserveRun(PartitionInvocation& loaded, const PartitionSource& source,
                                       const InputSet& inputs) {
  return Witness::Get().Observe<OutputSet>(
      "an asynchronous run", [&]() -> litert::Expected<OutputSet> {
        loaded.attached().WriteAll(inputs);
        LITERT_ASSIGN_OR_RETURN(const auto events,
                                StartRun(loaded.invocation(), source.num_outputs()));
        LITERT_RETURN_IF_ERROR(WaitForAll(events));
        return loaded.attached().ReadAll();
      });
}

// A run whose first input has an event, and gets other values before that is signalled.
struct ObservedWait {
  bool is_early = false;  // an output's event was signalled before the input's
  OutputSet outputs;
  static auto Fields(auto& self) { return std::tie(self.is_early, self.outputs); }
};

litert::Expected<ObservedWait> RunThatWaits(PartitionInvocation& loaded,
                                            const PartitionSource& source, const FreshRuns& fresh) {
  LITERT_ASSIGN_OR_RETURN(const auto gate, Gate::Create());
  const VendorInvocation& invocation = loaded.invocation();
  const LiteRtDispatchAsyncInterface& table = *invocation.device().library().tables().async;
  loaded.attached().WriteAll(fresh.inputs[0]);
  const LiteRtStatus attached = VendorCall("attach_input_event", table.attach_input_event,
                                           invocation.context(), 0, gate->event());
  if (attached != kLiteRtStatusOk) return CallFailed("attach_input_event", attached);
  LITERT_ASSIGN_OR_RETURN(const auto events, StartRun(invocation, source.num_outputs()));
  std::this_thread::sleep_for(kTemptation);
  ObservedWait observed;
  for (const OwnedEvent& event : events) {
    bool is_signalled = false;
    LITERT_RETURN_IF_ERROR(LiteRtIsEventSignaled(event.get(), &is_signalled));
    if (is_signalled) observed.is_early = true;
  }
  loaded.attached().WriteAll(fresh.inputs[1]);
  gate->Open();
  LITERT_RETURN_IF_ERROR(WaitForAll(events));
  observed.outputs = loaded.attached().ReadAll();
  return observed;
}

// The inputs are written while the run waits for an event; it must see them.
CheckAnswer WaitsForInputs(PartitionInvocation& loaded, const PartitionSource& source,
                           const FreshRuns& fresh) {
  if (source.num_inputs() == 0) return CheckReport::Pass();
  LITERT_ASSIGN_OR_RETURN(
      const ObservedWait observed,
      Witness::Get().Observe<ObservedWait>("a run that waits for its input",
                                           [&] { return RunThatWaits(loaded, source, fresh); }));
  NPUKIT_CHECK_THAT(!observed.is_early, "an output was complete before the event of input 0");
  const std::string difference = OutputDifference(fresh.outputs[1], observed.outputs);
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

struct ObservedOutcome {
  uint64_t status = 0;
  OutputSet outputs;
  static auto Fields(auto& self) { return std::tie(self.status, self.outputs); }
};

CheckAnswer NextRunWorks(PartitionInvocation& loaded, const PartitionSource& source,
                         const FreshRuns& fresh, size_t number) {
  LITERT_ASSIGN_OR_RETURN(
      const ObservedOutcome observed,
      Witness::Get().Observe<ObservedOutcome>(
          "the run after a failed one", [&]() -> litert::Expected<ObservedOutcome> {
            loaded.attached().WriteAll(fresh.inputs[number]);
            LITERT_ASSIGN_OR_RETURN(const auto events,
                                    StartRun(loaded.invocation(), source.num_outputs()));
            LITERT_ASSIGN_OR_RETURN(const LiteRtStatus outcome,
                                    OutcomeOf(loaded.invocation(), events));
            return ObservedOutcome{static_cast<uint64_t>(outcome), loaded.attached().ReadAll()};
          }));
  NPUKIT_CHECK_THAT(observed.status == kLiteRtStatusOk,
                    "the run after a failed one ended with " +
                        StatusText(static_cast<LiteRtStatus>(observed.status)));
  const std::string difference = OutputDifference(fresh.outputs[number], observed.outputs);
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

// What came of a run whose input's event fails.
enum class BrokenInput : uint64_t {
  kNotTried,  // no input, or the library does not say how its runs end: LiteRT's events alone can't
  kTold,
  kUntold,
};

litert::Expected<uint64_t> TryBrokenInput(const VendorInvocation& invocation,
                                          const PartitionSource& source) {
  if (source.num_inputs() == 0 || EventStatusOf(invocation) == nullptr)
    return static_cast<uint64_t>(BrokenInput::kNotTried);
  LITERT_ASSIGN_OR_RETURN(const auto broken, BrokenEvent());
  const auto attach = invocation.device().library().tables().async->attach_input_event;
  if (VendorCall("attach_input_event(an event that fails)", attach, invocation.context(), 0,
                 broken.get()) != kLiteRtStatusOk)
    return static_cast<uint64_t>(BrokenInput::kTold);
  LITERT_ASSIGN_OR_RETURN(const bool is_told, IsReported(invocation, source.num_outputs()));
  return static_cast<uint64_t>(is_told ? BrokenInput::kTold : BrokenInput::kUntold);
}

// Sentences for the wrong calls that were not refused.
litert::Expected<std::vector<std::string>> TryWrongCalls(VendorDevice& device,
                                                         const PartitionSource& source) {
  LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(device, source));
  LITERT_ASSIGN_OR_RETURN(const auto gate, Gate::Create());
  const LiteRtDispatchAsyncInterface& table = *device.library().tables().async;
  const LiteRtDispatchInvocationContext context = loaded->invocation().context();
  const int outputs = static_cast<int>(source.num_outputs());
  const int inputs = static_cast<int>(source.num_inputs());
  std::vector<LiteRtEvent> events(source.num_outputs() + 1, nullptr);
  std::vector<std::string> taken;
  const auto start = [&](const char* name, LiteRtDispatchInvocationContext which, int count,
                         LiteRtEvent* where, const char* sentence) {
    if (VendorCall(name, table.invoke_async, which, count, where) == kLiteRtStatusOk)
      taken.emplace_back(sentence);
  };
  start("invoke_async(too many events)", context, outputs + 1, events.data(),
        "invoke_async took a place for more events than there are outputs");
  start("invoke_async(-1 events)", context, -1, events.data(),
        "invoke_async took a negative number of events");
  start("invoke_async(null events)", context, outputs, nullptr,
        "invoke_async took a null pointer for its events");
  start("invoke_async(null)", nullptr, outputs, events.data(), "invoke_async took a null context");
  const auto attach = [&](const char* name, LiteRtDispatchInvocationContext which, int index,
                          LiteRtEvent event, const char* sentence) {
    if (VendorCall(name, table.attach_input_event, which, index, event) == kLiteRtStatusOk)
      taken.emplace_back(sentence);
  };
  attach("attach_input_event(past the end)", context, inputs, gate->event(),
         "attach_input_event took an input that does not exist");
  attach("attach_input_event(-1)", context, -1, gate->event(), "attach_input_event took input -1");
  attach("attach_input_event(null event)", context, 0, nullptr,
         "attach_input_event took a null event");
  attach("attach_input_event(null)", nullptr, 0, gate->event(),
         "attach_input_event took a null context");
  // What was taken may be under way.
  if (!taken.empty()) return taken;
  LITERT_RETURN_IF_ERROR(loaded->Close());
  return taken;
}

}  // namespace

CheckAnswer async(Workbench& bench) {
  return ForEachPartition(bench, [&](const PartitionSource& source) -> CheckAnswer {
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    for (size_t run = 0; run < 4; ++run) {
      LITERT_ASSIGN_OR_RETURN(const OutputSet outputs,
                              ObserveRun(*loaded, source, fresh.inputs[run % 2]));
      const std::string difference = OutputDifference(fresh.outputs[run % 2], outputs);
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
    Witness& witness = Witness::Get();
    LITERT_ASSIGN_OR_RETURN(const auto device, OpenDevice(bench));
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(const FreshRuns fresh, MakeFreshRuns(bench, source, 2));
    LITERT_ASSIGN_OR_RETURN(const auto loaded, PartitionInvocation::Load(*device, source));
    const auto first_slot = [&]() -> const AttachedInvocation::Slot& {
      return loaded->attached().slots().front();
    };
    LiteRtStatus status = witness.ObserveCode("detaching a buffer", [&] {
      loaded->attached().WriteAll(fresh.inputs[0]);
      return loaded->invocation().TryDetach(first_slot().port, first_slot().handle());
    });
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "detaching a buffer gave " + StatusText(status));
    LITERT_ASSIGN_OR_RETURN(const bool is_missed,
                            witness.Observe<bool>("a run with a buffer missing", [&] {
                              return IsReported(loaded->invocation(), source.num_outputs());
                            }));
    NPUKIT_CHECK_THAT(is_missed, "a run with a buffer missing ended as one that succeeded");
    status = witness.ObserveCode("attaching it again", [&] {
      return loaded->invocation().TryAttach(first_slot().port, first_slot().handle());
    });
    NPUKIT_CHECK_THAT(status == kLiteRtStatusOk, "attaching it again gave " + StatusText(status));
    LITERT_ASSIGN_OR_RETURN(CheckReport next, NextRunWorks(*loaded, source, fresh, 1));
    if (next.answer == CheckReport::Answer::kFail) return next;
    LITERT_ASSIGN_OR_RETURN(const uint64_t broken,
                            witness.Observe<uint64_t>("a run whose input's event fails", [&] {
                              return TryBrokenInput(loaded->invocation(), source);
                            }));
    NPUKIT_CHECK_THAT(broken != static_cast<uint64_t>(BrokenInput::kUntold),
                      "a run whose input's event failed ended as one that succeeded");
    if (broken != static_cast<uint64_t>(BrokenInput::kNotTried)) {
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
    LITERT_ASSIGN_OR_RETURN(const bool is_async, SeesAsynchronousRuns(*device, source));
    if (!is_async) return CheckReport::Skip(kNoAsync);
    LITERT_ASSIGN_OR_RETURN(
        const std::vector<std::string> taken,
        Witness::Get().Observe<std::vector<std::string>>(
            "wrong calls of asynchronous runs", [&] { return TryWrongCalls(*device, source); }));
    NPUKIT_CHECK_THAT(taken.empty(), fmt::format("{}", fmt::join(taken, "; ")));
    LITERT_RETURN_IF_ERROR(device->Close());
    return CheckReport::Pass();
  });
}

}  // namespace npukit::conformance::checks::dispatch
