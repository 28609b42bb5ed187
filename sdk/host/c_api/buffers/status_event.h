// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Custom events that also say how what they stand for ended.

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_STATUS_EVENT_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_STATUS_EVENT_H_

#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event_type.h"

namespace npukit {

// For others a custom event like any; LiteRtWaitEvent of one that LiteRtEventT was made from gives its status.
// Thread-safe.
class StatusEvent : public LiteRtCustomEventT {
 public:
  // How it ended; kLiteRtStatusErrorTimeoutExpired after the time, -1 waits for ever.
  virtual LiteRtStatus WaitForStatus(int64_t timeout_ms) = 0;

 protected:
  StatusEvent() : LiteRtCustomEventT{} {}
  ~StatusEvent() = default;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_STATUS_EVENT_H_
