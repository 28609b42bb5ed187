// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of event, and the functions of an event that the application brings.

#ifndef ODML_LITERT_LITERT_C_LITERT_EVENT_TYPE_H_
#define ODML_LITERT_LITERT_C_LITERT_EVENT_TYPE_H_

#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  LiteRtEventTypeUnknown = 0,
  LiteRtEventTypeSyncFenceFd = 1,
  LiteRtEventTypeOpenCl = 2,
  LiteRtEventTypeEglSyncFence = 3,
  LiteRtEventTypeEglNativeSyncFence = 4,
  LiteRtEventTypeCustom = 5,
} LiteRtEventType;

// The application embeds this struct at the start of its own. All functions are
// called with a pointer to it, from any thread.
typedef struct LiteRtCustomEventT* LiteRtCustomEvent;
struct LiteRtCustomEventT {
  // Reference count up and down; the last Release frees the event.
  void (*Retain)(LiteRtCustomEvent event);
  void (*Release)(LiteRtCustomEvent event);
  // Returns once the event is signalled or the time is up; -1 waits for ever.
  void (*Wait)(LiteRtCustomEvent event, int64_t timeout_in_ms);
  // 1 if it is signalled, else 0.
  int (*IsSignaled)(LiteRtCustomEvent event);
  // The event as its own API knows it; null if there is no such thing.
  void* (*GetNative)(LiteRtCustomEvent event);
};

LITERT_ABI_ASSERT(sizeof(struct LiteRtCustomEventT) == 5 * sizeof(void*));

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_EVENT_TYPE_H_
