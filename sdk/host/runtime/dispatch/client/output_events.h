// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The events that a dispatch library gave for the outputs of one asynchronous run. The caller of
// invoke_async owns them.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "litert/c/litert_event.h"

namespace npukit {

class OutputEvents {
 public:
  OutputEvents() = default;
  OutputEvents(OutputEvents&& other) noexcept : events_(std::exchange(other.events_, {})) {}
  OutputEvents& operator=(OutputEvents&&) = delete;
  ~OutputEvents() { Clear(); }

  // Destroys them; the room stays, so that the next run allocates nothing.
  void Clear() {
    for (LiteRtEvent event : events_) {
      if (event != nullptr) LiteRtDestroyEvent(event);
    }
    events_.clear();
  }
  // Room for the answer of invoke_async, all null.
  std::span<LiteRtEvent> Renew(size_t count) {
    Clear();
    events_.assign(count, nullptr);
    return events_;
  }
  // invoke_async failed: whatever it wrote is nobody's to destroy.
  void Forget() { events_.clear(); }

  // Lent.
  std::span<const LiteRtEvent> all() const { return events_; }

 private:
  std::vector<LiteRtEvent> events_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_OUTPUT_EVENTS_H_
