// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_async.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "conformance/faulty_plugins/fault.h"
#include "litert/c/litert_event.h"

namespace npukit::conformance::mimic {
namespace {

void Signal(const std::vector<int>& fds) {
  for (int fd : fds) {
    eventfd_write(fd, 1);
    close(fd);
  }
}

}  // namespace

LiteRtStatus AsyncRuns::Start(LiteRtStatus (*run)(LiteRtDispatchInvocationContext),
                              LiteRtDispatchInvocationContext context, int num_events,
                              LiteRtEvent* events) {
  Wait();
  std::vector<int> fds;
  for (int i = 0; i < num_events; ++i) {
    const int fd = eventfd(0, EFD_CLOEXEC);
    const LiteRtStatus made =
        LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &events[i]);
    if (made != kLiteRtStatusOk) return made;
    fds.push_back(dup(fd));
  }
  thread_ = std::thread([run, context, fds, wait_for = std::exchange(input_events_, {})] {
    if (Has(Fault::events_come_early)) {
      Signal(fds);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    for (LiteRtEvent event : wait_for) {
      if (!Has(Fault::input_events_ignored)) (void)LiteRtWaitEvent(event, /*timeout_in_ms=*/-1);
    }
    (void)run(context);
    if (!Has(Fault::events_come_early)) Signal(fds);
  });
  return kLiteRtStatusOk;
}

}  // namespace npukit::conformance::mimic
