// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The end of an asynchronous run, as the host's own events wait for it.

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_RUN_COMPLETION_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_RUN_COMPLETION_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "litert/c/litert_common.h"
#include "sdk/host/c_api/buffers/status_event.h"

namespace npukit {

// What stands behind the host's own events. Counts its users, and begins with one.
class RunCompletion final : public StatusEvent {
 public:
  RunCompletion();
  RunCompletion(const RunCompletion&) = delete;
  RunCompletion& operator=(const RunCompletion&) = delete;

  // Once.
  void Signal(LiteRtStatus status);
  // The run's status; kLiteRtStatusErrorTimeoutExpired after the time, -1 waits for ever.
  LiteRtStatus WaitForStatus(int64_t timeout_ms) override;
  bool is_signalled();
  void Drop();

 private:
  ~RunCompletion() = default;

  std::atomic<int> references_ = 1;
  std::mutex mutex_;
  std::condition_variable signalled_;
  bool is_signalled_ = false;
  LiteRtStatus status_ = kLiteRtStatusOk;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_RUN_COMPLETION_H_
