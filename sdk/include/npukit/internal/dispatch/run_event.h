// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_RUN_EVENT_H_
#define NPUKIT_INTERNAL_DISPATCH_RUN_EVENT_H_

// The events of an asynchronous run.

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_event_type.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// How a run ended.
struct RunOutcome {
  LiteRtStatus status = kLiteRtStatusOk;
  InvocationError error;
};

// An event of a run that is over, where the host has no custom events.
inline ::litert::Expected<LiteRtEvent> MakeSignalledFence() {
  const int fd = eventfd(/*initval=*/1, EFD_CLOEXEC);
  if (fd < 0) {
    return ::litert::Unexpected(::litert::Status::kErrorRuntimeFailure,
                                "there is no file descriptor left for an event");
  }
  LiteRtEvent event = nullptr;
  const LiteRtStatus status =
      LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &event);
  if (status == kLiteRtStatusOk) return event;
  close(fd);
  return ::litert::Unexpected(status, "the host has no events that a library could signal");
}

// Signalled once, when the run has ended. Counts its users: the library, and
// every LiteRtEvent made of it. The addresses of those alive are known, so that
// an event of somebody else's is told from one of these.
class RunEvent {
 public:
  struct Releaser {
    void operator()(RunEvent* event) const { event->Release(); }
  };
  using Pointer = std::unique_ptr<RunEvent, Releaser>;
  static Pointer Create() { return Pointer(new RunEvent); }
  RunEvent(const RunEvent&) = delete;
  RunEvent& operator=(const RunEvent&) = delete;

  // A new event for the caller of the library. Nothing here can destroy one: abi 2.2 gives a
  // library no function for it.
  ::litert::Expected<LiteRtEvent> MakeEvent() {
    LiteRtEvent event = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtCreateManagedEvent(nullptr, LiteRtEventTypeCustom, &event));
    LITERT_RETURN_IF_ERROR(LiteRtSetCustomEvent(event, &functions_));
    return event;
  }

  void Signal(RunOutcome outcome) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      outcome_ = std::move(outcome);
      is_signalled_ = true;
    }
    signalled_.notify_all();
  }
  void Release() {
    bool last = false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      last = --references_ == 0;
    }
    if (last) delete this;
  }

  // False if there is no such event, or it is not this library's.
  static bool Find(LiteRtEvent event, bool* is_signalled, RunOutcome* outcome) {
    LiteRtCustomEvent custom = nullptr;
    if (LiteRtGetCustomEvent(event, &custom) != kLiteRtStatusOk) return false;
    {
      const std::lock_guard<std::mutex> lock(known_mutex);
      if (std::find(known.begin(), known.end(), custom) == known.end()) return false;
    }
    // It lives as long as `event`, which is the caller's.
    RunEvent& run = From(custom);
    const std::lock_guard<std::mutex> lock(run.mutex_);
    *is_signalled = run.is_signalled_;
    if (run.is_signalled_) *outcome = run.outcome_;
    return true;
  }

 private:
  // What the host sees: first in memory, so that a pointer to it is one to the whole.
  struct Functions : LiteRtCustomEventT {
    RunEvent* owner = nullptr;
  };

  RunEvent() {
    functions_.owner = this;
    functions_.Retain = [](LiteRtCustomEvent event) {
      RunEvent& run = From(event);
      const std::lock_guard<std::mutex> lock(run.mutex_);
      ++run.references_;
    };
    functions_.Release = [](LiteRtCustomEvent event) { From(event).Release(); };
    functions_.Wait = [](LiteRtCustomEvent event, int64_t timeout_ms) {
      From(event).Wait(timeout_ms);
    };
    functions_.IsSignaled = [](LiteRtCustomEvent event) {
      RunEvent& run = From(event);
      const std::lock_guard<std::mutex> lock(run.mutex_);
      return run.is_signalled_ ? 1 : 0;
    };
    functions_.GetNative = [](LiteRtCustomEvent) -> void* { return nullptr; };
    const std::lock_guard<std::mutex> lock(known_mutex);
    known.push_back(&functions_);
  }
  ~RunEvent() {
    const std::lock_guard<std::mutex> lock(known_mutex);
    known.erase(std::find(known.begin(), known.end(), &functions_));
  }

  static RunEvent& From(LiteRtCustomEvent event) { return *static_cast<Functions*>(event)->owner; }

  void Wait(int64_t timeout_ms) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto done = [this] { return is_signalled_; };
    if (timeout_ms < 0) {
      signalled_.wait(lock, done);
    } else {
      signalled_.wait_for(lock, std::chrono::milliseconds(timeout_ms), done);
    }
  }

  __attribute__((visibility("hidden"))) static inline std::mutex known_mutex;
  __attribute__((visibility("hidden"))) static inline std::vector<LiteRtCustomEvent> known;

  Functions functions_{};
  std::mutex mutex_;
  std::condition_variable signalled_;
  int references_ = 1;
  bool is_signalled_ = false;
  RunOutcome outcome_;
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_RUN_EVENT_H_
