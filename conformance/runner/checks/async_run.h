// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Starting asynchronous runs of a vendor's, holding them up, and hearing how they ended.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_ASYNC_RUN_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_ASYNC_RUN_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "conformance/runner/checks/partition_bench.h"
#include "litert/c/litert_event.h"
#include "litert/cc/litert_expected.h"
#include "npukit/extensions/event_status.h"

namespace npukit::conformance {

inline constexpr char kNoAsync[] = "the library reports no asynchronous runs";

// Of a run without outputs no event tells.
bool RunsAsynchronously(const VendorDevice& device, const PartitionSource& source);
// The same for a check that is judged elsewhere.
litert::Expected<bool> SeesAsynchronousRuns(const VendorDevice& device,
                                            const PartitionSource& source);

struct EventRelease {
  void operator()(LiteRtEventT* event) const { LiteRtDestroyEvent(event); }
};
using OwnedEvent = std::unique_ptr<LiteRtEventT, EventRelease>;
using RunEvents = std::vector<OwnedEvent>;  // by output

// An event that the kit signals.
class Gate {
 public:
  static litert::Expected<std::unique_ptr<Gate>> Create();
  Gate();
  ~Gate();
  void Open() const;
  LiteRtEvent event() const { return event_.get(); }

 private:
  int fd_ = -1;
  OwnedEvent event_;
};

// invoke_async. An error: it failed, or gave a null event.
litert::Expected<RunEvents> StartRun(const VendorInvocation& invocation, size_t num_outputs);

litert::Expected<void> WaitForAll(const RunEvents& events);

// Null if the library does not say how runs ended.
NpukitDispatchGetEventStatusT EventStatusOf(const VendorInvocation& invocation);

// Waits to the end of a run. Gives the first error that it reports; OK if it reports none.
litert::Expected<LiteRtStatus> OutcomeOf(const VendorInvocation& invocation,
                                         const RunEvents& events);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_ASYNC_RUN_H_
