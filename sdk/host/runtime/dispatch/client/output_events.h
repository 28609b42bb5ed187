// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events that a dispatch library gave for the outputs of one asynchronous run. The caller of
// invoke_async owns them, until it sets them on the buffers of the outputs, as LiteRT does: then who
// locks such a buffer waits for the run first.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"

namespace npukit {

class OutputEvents {
 public:
  OutputEvents() = default;
  OutputEvents(const OutputEvents&) = delete;
  OutputEvents& operator=(const OutputEvents&) = delete;
  ~OutputEvents() { Clear(); }

  // Room for the answer of invoke_async, all null.
  std::span<LiteRtEvent> Renew(size_t count) {
    Clear();
    buffers_.assign(count, nullptr);
    events_.assign(count, nullptr);
    return events_;
  }
  // invoke_async failed: what it wrote must not be destroyed.
  void Forget() { events_.clear(); }
  // Event `index` becomes the buffer's, which must last until Clear.
  void SetOn(size_t index, LiteRtTensorBuffer buffer) {
    if (LiteRtSetTensorBufferEvent(buffer, events_[index]) == kLiteRtStatusOk)
      buffers_[index] = buffer;
  }
  // Destroys them, and takes them off the buffers; the room stays, so that the next run allocates
  // nothing.
  void Clear() {
    for (size_t i = 0; i < events_.size(); ++i) {
      if (buffers_[i] != nullptr) {
        LiteRtClearTensorBufferEvent(buffers_[i]);
      } else if (events_[i] != nullptr) {
        LiteRtDestroyEvent(events_[i]);
      }
    }
    events_.clear();
  }

  // Lent.
  std::span<const LiteRtEvent> all() const { return events_; }

 private:
  std::vector<LiteRtEvent> events_;
  std::vector<LiteRtTensorBuffer> buffers_;  // that own the events; null: owned here
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_
