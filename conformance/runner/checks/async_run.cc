// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/async_run.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "conformance/observation/evidence.h"
#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

bool RunsAsynchronously(const VendorDevice& device, const PartitionSource& source) {
  return device.library().has_async() && source.num_outputs() != 0;
}

litert::Expected<bool> SeesAsynchronousRuns(const VendorDevice& device,
                                            const PartitionSource& source) {
  return Witness::Get().Observe<bool>("asynchronous runs", [&]() -> litert::Expected<bool> {
    return RunsAsynchronously(device, source);
  });
}

Gate::Gate() : fd_(eventfd(0, EFD_CLOEXEC)) {}
Gate::~Gate() { close(fd_); }
void Gate::Open() const { eventfd_write(fd_, 1); }

litert::Expected<std::unique_ptr<Gate>> Gate::Create() {
  auto gate = std::make_unique<Gate>();
  LiteRtEvent event = nullptr;
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateEventFromSyncFenceFd(nullptr, gate->fd_, /*owns_fd=*/false, &event));
  gate->event_.reset(event);
  return gate;
}

litert::Expected<RunEvents> StartRun(const VendorInvocation& invocation, size_t num_outputs) {
  const LiteRtDispatchAsyncInterface& table = *invocation.device().library().tables().async;
  std::vector<LiteRtEvent> events(num_outputs, nullptr);
  const LiteRtStatus status = VendorCall("invoke_async", table.invoke_async, invocation.context(),
                                         static_cast<int>(num_outputs), events.data());
  if (status != kLiteRtStatusOk) return CallFailed("invoke_async", status);
  RunEvents owned;
  for (LiteRtEvent event : events) owned.emplace_back(event);
  if (std::count(events.begin(), events.end(), nullptr) != 0)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "invoke_async gave a null event");
  return owned;
}

litert::Expected<void> WaitForAll(const RunEvents& events) {
  for (const OwnedEvent& event : events) {
    const LiteRtStatus status =
        VendorCall("waiting for an output event", LiteRtWaitEvent, event.get(), int64_t{-1});
    if (status != kLiteRtStatusOk) return CallFailed("waiting for an output event", status);
  }
  return {};
}

NpukitDispatchGetEventStatusT EventStatusOf(const VendorInvocation& invocation) {
  return invocation.device().library().Find<NpukitDispatchGetEventStatusT>(
      "NpukitDispatchGetEventStatus");
}

// Waits to the end of a run. Gives the first error that it reports; OK if it reports none.
litert::Expected<LiteRtStatus> OutcomeOf(const VendorInvocation& invocation,
                                         const RunEvents& events) {
  LiteRtStatus outcome = kLiteRtStatusOk;
  const auto get_status = EventStatusOf(invocation);
  for (const OwnedEvent& event : events) {
    LiteRtStatus status = VendorCall("waiting for an output event of a run that fails",
                                     LiteRtWaitEvent, event.get(), int64_t{-1});
    if (status == kLiteRtStatusOk && get_status != nullptr) {
      NpukitDebugHandle handle = NPUKIT_NO_DEBUG_HANDLE;
      const LiteRtStatus asked =
          VendorCall("NpukitDispatchGetEventStatus", get_status, event.get(), &status, &handle,
                     static_cast<char*>(nullptr), size_t{0});
      if (asked != kLiteRtStatusOk) return CallFailed("NpukitDispatchGetEventStatus", asked);
    }
    if (outcome == kLiteRtStatusOk) outcome = status;
  }
  return outcome;
}

}  // namespace npukit::conformance
