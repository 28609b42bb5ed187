// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/faulty_plugins/mimic_async.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "conformance/faulty_plugins/fault.h"
#include "litert/c/litert_event.h"

namespace npukit::conformance::mimic {

// What its events' readers may ask of a run.
struct RunEnd {
  std::atomic<LiteRtStatus> status = kLiteRtStatusErrorTimeoutExpired;
};

namespace {

std::mutex run_ends_mutex;
std::map<LiteRtEvent, std::shared_ptr<RunEnd>> run_ends;

void Signal(const std::vector<int>& fds) {
  for (int fd : fds) {
    eventfd_write(fd, 1);
    close(fd);
  }
}

LiteRtStatus WaitForInputs(const std::vector<LiteRtEvent>& events) {
  LiteRtStatus first = kLiteRtStatusOk;
  for (LiteRtEvent event : events) {
    if (Has(Fault::input_events_ignored)) continue;
    const LiteRtStatus status = LiteRtWaitEvent(event, /*timeout_in_ms=*/-1);
    if (first == kLiteRtStatusOk && !Has(Fault::failed_inputs_taken)) first = status;
  }
  return first;
}

}  // namespace

LiteRtStatus AsyncRuns::Start(std::function<LiteRtStatus()> run, int num_events,
                              LiteRtEvent* events) {
  Wait();
  Forget();
  end_ = std::make_shared<RunEnd>();
  std::vector<int> fds;
  for (int i = 0; i < num_events; ++i) {
    const int fd = eventfd(0, EFD_CLOEXEC);
    const LiteRtStatus made =
        LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &events[i]);
    if (made != kLiteRtStatusOk) return made;
    fds.push_back(dup(fd));
    const std::lock_guard<std::mutex> lock(run_ends_mutex);
    run_ends[events[i]] = end_;
    output_events_.push_back(events[i]);
  }
  thread_ = std::thread(
      [run = std::move(run), fds, end = end_, wait_for = std::exchange(input_events_, {})] {
        if (Has(Fault::events_come_early)) {
          Signal(fds);
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        LiteRtStatus status = WaitForInputs(wait_for);
        if (status == kLiteRtStatusOk) status = run();
        const bool has_failed = status != kLiteRtStatusOk;
        if (Has(Fault::async_error_lost)) status = kLiteRtStatusOk;
        end->status = status;
        if (Has(Fault::async_error_hangs) && has_failed) return;
        if (!Has(Fault::events_come_early)) Signal(fds);
      });
  return kLiteRtStatusOk;
}

LiteRtStatus AsyncRuns::StatusOf(LiteRtEvent event, LiteRtStatus* status) {
  const std::lock_guard<std::mutex> lock(run_ends_mutex);
  const auto found = run_ends.find(event);
  if (found == run_ends.end()) return kLiteRtStatusErrorInvalidArgument;
  const LiteRtStatus ended = found->second->status;
  if (ended == kLiteRtStatusErrorTimeoutExpired) return ended;
  *status = ended;
  return kLiteRtStatusOk;
}

// An event that was destroyed may have given its address to one of another context since.
void AsyncRuns::Forget() {
  const std::lock_guard<std::mutex> lock(run_ends_mutex);
  for (LiteRtEvent event : output_events_) {
    const auto found = run_ends.find(event);
    if (found != run_ends.end() && found->second == end_) run_ends.erase(found);
  }
  output_events_.clear();
}

}  // namespace npukit::conformance::mimic
