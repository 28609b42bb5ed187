// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_EVENT_H_
#define ODML_LITERT_LITERT_CC_LITERT_EVENT_H_

#include <cstdint>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event.h"
#include "litert/c/litert_event_type.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/litert_environment.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"

namespace litert {

// Something that happens once on the device or the host.
class Event : public internal::BaseHandle<LiteRtEvent> {
 public:
  enum class Type {
    kUnknown = LiteRtEventTypeUnknown,
    kSyncFenceFd = LiteRtEventTypeSyncFenceFd,
    kOpenCl = LiteRtEventTypeOpenCl,
    kEglSyncFence = LiteRtEventTypeEglSyncFence,
    kEglNativeSyncFence = LiteRtEventTypeEglNativeSyncFence,
    kCustom = LiteRtEventTypeCustom,
  };

  // Of a sync fence's file descriptor, which is closed with it if `owns_fd`.
  static Expected<Event> CreateFromSyncFenceFd(const Environment& env, int sync_fence_fd,
                                               bool owns_fd) {
    LiteRtEvent event = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCreateEventFromSyncFenceFd(env.Get(), sync_fence_fd, owns_fd, &event));
    return Event(event, OwnHandle::kYes);
  }
  static Expected<Event> CreateManaged(const Environment& env, Type type) {
    LiteRtEvent event = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtCreateManagedEvent(env.Get(), static_cast<LiteRtEventType>(type), &event));
    return Event(event, OwnHandle::kYes);
  }
  static Event WrapCObject(const internal::EnvironmentHolder&, LiteRtEvent event, OwnHandle own) {
    return Event(event, own);
  }

  Expected<int> GetSyncFenceFd() { return Ask<int>(LiteRtGetEventSyncFenceFd); }
  Expected<void*> GetCustomNativeEvent() { return Ask<void*>(LiteRtGetEventCustomNativeEvent); }
  // Blocks until it has happened; -1 waits for ever. kErrorTimeoutExpired.
  Expected<void> Wait(int64_t timeout_in_ms = -1) {
    LITERT_RETURN_IF_ERROR(LiteRtWaitEvent(Get(), timeout_in_ms));
    return {};
  }
  Expected<void> Signal() {
    LITERT_RETURN_IF_ERROR(LiteRtSignalEvent(Get()));
    return {};
  }
  Expected<bool> IsSignaled() { return Ask<bool>(LiteRtIsEventSignaled); }
  // A new descriptor that the caller closes.
  Expected<int> DupFd() { return Ask<int>(LiteRtDupFdEvent); }

  enum Type Type() const {
    LiteRtEventType type = LiteRtEventTypeUnknown;
    (void)LiteRtGetEventEventType(Get(), &type);
    return static_cast<enum Type>(type);
  }

 private:
  explicit Event(LiteRtEvent event, OwnHandle own)
      : internal::BaseHandle<LiteRtEvent>(event, LiteRtDestroyEvent, own) {}

  template <class T>
  Expected<T> Ask(LiteRtStatus (*get)(LiteRtEvent, T*)) const {
    T value{};
    LITERT_RETURN_IF_ERROR(get(Get(), &value));
    return Expected<T>(value);
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_EVENT_H_
