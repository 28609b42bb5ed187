// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The worker's event for one of an application's, which is at the desk: it is signalled, or fails, when the desk says
// so.

#ifndef NPUKIT_SDK_REMOTE_WORKER_INPUT_EVENT_H_
#define NPUKIT_SDK_REMOTE_WORKER_INPUT_EVENT_H_

#include <memory>
#include <mutex>

#include "litert/c/litert_event.h"
#include "litert/cc/litert_expected.h"
#include "npukit/internal/sanitizers.h"

#if defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace npukit::remote {

// What an event orders, the thread sanitizer does not see: it follows no poll() of a descriptor. These tell it, by
// an address that libraries in the process name, too: that of the host's function. Without it they do nothing.
#if defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
inline void BeforeEvents() { __tsan_release(reinterpret_cast<void*>(&LiteRtWaitEvent)); }
inline void AfterEvents() { __tsan_acquire(reinterpret_cast<void*>(&LiteRtWaitEvent)); }
#else
inline void BeforeEvents() {}
inline void AfterEvents() {}
#endif

// Thread-safe.
class InputEvent {
 public:
  static litert::Expected<std::shared_ptr<InputEvent>> Create();
  ~InputEvent();
  InputEvent(const InputEvent&) = delete;
  InputEvent& operator=(const InputEvent&) = delete;

  // Lent. A sync fence.
  LiteRtEvent event() const { return event_; }
  // Once; what comes later changes nothing.
  void Signal();
  void Fail();
  bool is_over();

 private:
  InputEvent() = default;

  std::mutex mutex_;
  int other_end_ = -1;  // of the event's descriptor
  bool is_over_ = false;
  LiteRtEvent event_ = nullptr;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_INPUT_EVENT_H_
