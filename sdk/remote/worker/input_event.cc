// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/input_event.h"

#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "litert/cc/litert_macros.h"

namespace npukit::remote {

// A descriptor that can become readable as well as fail, for all that have copies of it: one end of a pair of
// sockets. The event's end writes a byte first. As long as that is not read, closing the other end is an error at
// the event's (a connection reset).
litert::Expected<std::shared_ptr<InputEvent>> InputEvent::Create() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              "the device has no descriptor left");
  std::shared_ptr<InputEvent> made(new InputEvent);
  made->other_end_ = pair[1];
  const LiteRtStatus status =
      LiteRtCreateEventFromSyncFenceFd(nullptr, pair[0], /*owns_fd=*/true, &made->event_);
  if (status != kLiteRtStatusOk || write(pair[0], "", 1) != 1)
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, "the device can make no event");
  return made;
}

InputEvent::~InputEvent() {
  if (event_ != nullptr) LiteRtDestroyEvent(event_);
  if (other_end_ >= 0) close(other_end_);
}

void InputEvent::Signal() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return;
  BeforeEvents();
  char read_now = 0;  // so that the other end's end is no error any more
  (void)recv(other_end_, &read_now, 1, MSG_DONTWAIT);
  (void)send(other_end_, "", 1, MSG_NOSIGNAL);
}

void InputEvent::Fail() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_over_, true)) return;
  close(std::exchange(other_end_, -1));
}

bool InputEvent::is_over() {
  const std::lock_guard lock(mutex_);
  return is_over_;
}

}  // namespace npukit::remote
