// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/buffers/event.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>

#include "litert/c/litert_event.h"

namespace {

// Waits until the descriptor is readable. A signal that interrupts the wait
// does not prolong it.
LiteRtStatus WaitReadable(int fd, int64_t timeout_ms) {
  using Clock = std::chrono::steady_clock;
  constexpr int64_t kLongestMs = std::numeric_limits<int>::max();
  const auto start = Clock::now();
  pollfd request = {fd, POLLIN, 0};
  while (true) {
    int64_t left_ms = -1;
    if (timeout_ms >= 0) {
      const auto gone = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
      left_ms = std::max<int64_t>(0, timeout_ms - gone.count());
    }
    const int ready = poll(&request, 1, static_cast<int>(std::min(left_ms, kLongestMs)));
    if (ready > 0) {
      return (request.revents & (POLLERR | POLLNVAL)) != 0 ? kLiteRtStatusErrorRuntimeFailure
                                                           : kLiteRtStatusOk;
    }
    if (ready == 0) {
      // poll takes an int: longer waits go in parts.
      if (left_ms <= kLongestMs) return kLiteRtStatusErrorTimeoutExpired;
    } else if (errno != EINTR && errno != EAGAIN) {
      return kLiteRtStatusErrorRuntimeFailure;
    }
  }
}

}  // namespace

LiteRtEventT::~LiteRtEventT() {
  set_custom(nullptr);
  if (owns_fd_) close(fd_);
}

void LiteRtEventT::set_custom(LiteRtCustomEvent event) {
  if (event && event->Retain) event->Retain(event);
  if (custom_ && custom_->Release) custom_->Release(custom_);
  custom_ = event;
}

LiteRtStatus LiteRtEventT::Wait(int64_t timeout_ms) const {
  if (type_ == LiteRtEventTypeSyncFenceFd) return WaitReadable(fd_, timeout_ms);
  // The host's own, unless an application has set another custom event since. A custom event's Wait
  // gives no status.
  if (run_ != nullptr && custom_ == run_) return run_->WaitForStatus(timeout_ms);
  if (!custom_ || !custom_->Wait) return kLiteRtStatusErrorRuntimeFailure;
  custom_->Wait(custom_, timeout_ms);
  // Wait itself does not say why it returned.
  if (timeout_ms >= 0 && custom_->IsSignaled && custom_->IsSignaled(custom_) == 0) {
    return kLiteRtStatusErrorTimeoutExpired;
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtEventT::IsSignaled(bool* is_signaled) const {
  if (type_ == LiteRtEventTypeSyncFenceFd) {
    const LiteRtStatus status = WaitReadable(fd_, 0);
    if (status != kLiteRtStatusOk && status != kLiteRtStatusErrorTimeoutExpired) {
      return status;
    }
    *is_signaled = status == kLiteRtStatusOk;
    return kLiteRtStatusOk;
  }
  if (!custom_ || !custom_->IsSignaled) return kLiteRtStatusErrorRuntimeFailure;
  *is_signaled = custom_->IsSignaled(custom_) != 0;
  return kLiteRtStatusOk;
}

std::unique_ptr<LiteRtEventT> LiteRtEventT::Share() const {
  if (type_ == LiteRtEventTypeSyncFenceFd) {
    // Whoever owns the descriptor may close it.
    const int copy = dup(fd_);
    return copy < 0 ? nullptr : std::make_unique<LiteRtEventT>(copy, /*owns_fd=*/true);
  }
  if (custom_ == nullptr) return nullptr;
  if (run_ != nullptr && custom_ == run_) return std::make_unique<LiteRtEventT>(run_);
  auto shared = std::make_unique<LiteRtEventT>();
  shared->set_custom(custom_);
  return shared;
}

extern "C" {

LiteRtStatus LiteRtCreateEventFromSyncFenceFd(LiteRtEnvironment, int sync_fence_fd, bool owns_fd,
                                              LiteRtEvent* event) {
  if (!event || sync_fence_fd < 0) return kLiteRtStatusErrorInvalidArgument;
  *event = new LiteRtEventT(sync_fence_fd, owns_fd);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtCreateManagedEvent(LiteRtEnvironment, LiteRtEventType type, LiteRtEvent* event) {
  if (!event) return kLiteRtStatusErrorInvalidArgument;
  switch (type) {
    case LiteRtEventTypeCustom:
      *event = new LiteRtEventT();
      return kLiteRtStatusOk;
    case LiteRtEventTypeOpenCl:
    case LiteRtEventTypeEglSyncFence:
    case LiteRtEventTypeEglNativeSyncFence:
      return kLiteRtStatusErrorUnsupported;
    default:
      return kLiteRtStatusErrorInvalidArgument;
  }
}

void LiteRtDestroyEvent(LiteRtEvent event) { delete event; }

LiteRtStatus LiteRtGetEventEventType(LiteRtEvent event, LiteRtEventType* type) {
  if (!event || !type) return kLiteRtStatusErrorInvalidArgument;
  *type = event->type();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtSetCustomEvent(LiteRtEvent event, LiteRtCustomEvent custom_event) {
  if (!event) return kLiteRtStatusErrorInvalidArgument;
  if (event->type() != LiteRtEventTypeCustom) {
    return kLiteRtStatusErrorUnsupported;
  }
  event->set_custom(custom_event);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetCustomEvent(LiteRtEvent event, LiteRtCustomEvent* custom_event) {
  if (!event || !custom_event) return kLiteRtStatusErrorInvalidArgument;
  if (!event->custom()) return kLiteRtStatusErrorUnsupported;
  *custom_event = event->custom();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetEventCustomNativeEvent(LiteRtEvent event, void** native) {
  if (!event || !native) return kLiteRtStatusErrorInvalidArgument;
  LiteRtCustomEvent custom = event->custom();
  if (!custom || !custom->GetNative) return kLiteRtStatusErrorUnsupported;
  *native = custom->GetNative(custom);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetEventSyncFenceFd(LiteRtEvent event, int* sync_fence_fd) {
  if (!event || !sync_fence_fd) return kLiteRtStatusErrorInvalidArgument;
  if (event->type() != LiteRtEventTypeSyncFenceFd) {
    return kLiteRtStatusErrorUnsupported;
  }
  *sync_fence_fd = event->fd();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtDupFdEvent(LiteRtEvent event, int* dup_fd) {
  if (!event || !dup_fd || event->type() != LiteRtEventTypeSyncFenceFd) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  const int copy = dup(event->fd());
  if (copy < 0) return kLiteRtStatusErrorRuntimeFailure;
  *dup_fd = copy;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtWaitEvent(LiteRtEvent event, int64_t timeout_in_ms) {
  if (!event) return kLiteRtStatusErrorInvalidArgument;
  return event->Wait(timeout_in_ms);
}

// As in LiteRT: only an OpenCL user event can be signalled by the host.
LiteRtStatus LiteRtSignalEvent(LiteRtEvent) { return kLiteRtStatusErrorInvalidArgument; }

LiteRtStatus LiteRtIsEventSignaled(LiteRtEvent event, bool* is_signaled) {
  if (!event || !is_signaled) return kLiteRtStatusErrorInvalidArgument;
  return event->IsSignaled(is_signaled);
}

}  // extern "C"
