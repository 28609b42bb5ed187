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

namespace npukit::remote {

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
