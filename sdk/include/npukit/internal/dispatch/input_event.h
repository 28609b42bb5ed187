// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_INPUT_EVENT_H_
#define NPUKIT_INTERNAL_DISPATCH_INPUT_EVENT_H_

// What an asynchronous run waits for before it reads an input.

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <utility>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_event_type.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Keeps what is behind a host's event: LiteRT destroys the LiteRtEvent itself while the run is still
// queued, when the next run puts its own event on the same buffer or the application clears it.
class InputEvent {
 public:
  static ::litert::Expected<InputEvent> Keep(LiteRtEvent event) {
    InputEvent kept;
    if (LiteRtGetCustomEvent(event, &kept.custom_) == kLiteRtStatusOk && kept.custom_ != nullptr &&
        kept.custom_->Wait != nullptr && kept.custom_->Retain != nullptr) {
      kept.custom_->Retain(kept.custom_);
      return kept;
    }
    kept.custom_ = nullptr;
    int fd = -1;
    if (LiteRtGetEventSyncFenceFd(event, &fd) == kLiteRtStatusOk && fd >= 0) {
      kept.fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 0);
      if (kept.fd_ >= 0) return kept;
      return ::litert::Unexpected(::litert::Status::kErrorRuntimeFailure,
                                  "the file descriptor of an input's event cannot be kept");
    }
    kept.event_ = event;  // of another device, which the host alone knows how to wait for
    return kept;
  }

  InputEvent(InputEvent&& other) noexcept { *this = std::move(other); }
  InputEvent& operator=(InputEvent&& other) noexcept {
    std::swap(custom_, other.custom_);
    std::swap(fd_, other.fd_);
    std::swap(event_, other.event_);
    return *this;
  }
  ~InputEvent() {
    if (custom_ != nullptr && custom_->Release != nullptr) custom_->Release(custom_);
    if (fd_ >= 0) close(fd_);
  }

  // OK once it is signalled; kLiteRtStatusErrorTimeoutExpired if it was not in time (a negative
  // one: no limit); else the error.
  LiteRtStatus Wait(int64_t timeout_ms) const {
    if (custom_ != nullptr) return WaitForCustom(timeout_ms);
    if (fd_ >= 0) return WaitForFence(timeout_ms);
    return LiteRtWaitEvent(event_, timeout_ms);
  }

 private:
  InputEvent() = default;

  // Its Wait() does not say whether the time was up.
  LiteRtStatus WaitForCustom(int64_t timeout_ms) const {
    const bool can_tell = custom_->IsSignaled != nullptr;
    custom_->Wait(custom_, can_tell ? timeout_ms : -1);
    const bool is_over = timeout_ms < 0 || !can_tell || custom_->IsSignaled(custom_) != 0;
    return is_over ? kLiteRtStatusOk : kLiteRtStatusErrorTimeoutExpired;
  }

  LiteRtStatus WaitForFence(int64_t timeout_ms) const {
    pollfd request = {fd_, POLLIN, 0};
    const int limit =
        timeout_ms < 0 ? -1 : static_cast<int>(std::min<int64_t>(timeout_ms, INT_MAX));
    int ready = -1;
    do {
      ready = poll(&request, 1, limit);
    } while (ready < 0 && (errno == EINTR || errno == EAGAIN));
    if (ready == 0) return kLiteRtStatusErrorTimeoutExpired;
    if (ready < 0 || (request.revents & (POLLERR | POLLNVAL)) != 0) {
      return kLiteRtStatusErrorRuntimeFailure;
    }
    return kLiteRtStatusOk;
  }

  LiteRtCustomEvent custom_ = nullptr;  // one reference to it
  int fd_ = -1;                         // a duplicate
  LiteRtEvent event_ = nullptr;         // the caller's
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_INPUT_EVENT_H_
