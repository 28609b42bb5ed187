// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_EVENT_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_EVENT_H_

#include <cstdint>
#include <memory>

#include "litert/c/litert_event.h"
#include "sdk/host/c_api/buffers/status_event.h"

// A sync fence (a file descriptor that becomes readable) or a custom event.
class LiteRtEventT {
 public:
  // A fence; closes the descriptor at the end if it owns it.
  LiteRtEventT(int fd, bool owns_fd)
      : type_(LiteRtEventTypeSyncFenceFd), fd_(fd), owns_fd_(owns_fd) {}
  // A custom event without anything behind it yet.
  LiteRtEventT() : type_(LiteRtEventTypeCustom) {}
  // The end of a run: a custom event for others, whose Wait gives the run's status.
  explicit LiteRtEventT(npukit::StatusEvent* run) : type_(LiteRtEventTypeCustom), run_(run) {
    set_custom(run);
  }
  LiteRtEventT(const LiteRtEventT&) = delete;
  LiteRtEventT& operator=(const LiteRtEventT&) = delete;
  ~LiteRtEventT();

  LiteRtEventType type() const { return type_; }
  int fd() const { return fd_; }
  LiteRtCustomEvent custom() const { return custom_; }

  // Retains the new one, releases the old one; either may be null.
  void set_custom(LiteRtCustomEvent event);

  // kLiteRtStatusErrorTimeoutExpired after the time; -1 waits for ever.
  LiteRtStatus Wait(int64_t timeout_ms) const;
  LiteRtStatus IsSignaled(bool* is_signaled) const;
  // Another event of the same thing, which may outlive this one. Null if there is nothing behind
  // this one, or no file descriptor left.
  std::unique_ptr<LiteRtEventT> Share() const;

 private:
  const LiteRtEventType type_;
  const int fd_ = -1;
  const bool owns_fd_ = false;
  LiteRtCustomEvent custom_ = nullptr;
  npukit::StatusEvent* const run_ = nullptr;  // custom_, if that has a status
};

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_EVENT_H_
