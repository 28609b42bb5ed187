// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Something that is signalled once, when asynchronous work has finished.
// Waiting for and asking an event is safe from several threads.

#ifndef ODML_LITERT_LITERT_C_LITERT_EVENT_H_
#define ODML_LITERT_LITERT_C_LITERT_EVENT_H_

#include <stdbool.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_event_type.h"
#include "litert/c/litert_gl_types.h"
#include "litert/c/litert_opencl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Creation -----------------------------------------------------------------
// `env` may be null for kinds that need no GPU.

// A file descriptor that becomes readable when signalled, as Linux sync fences
// do. With `owns_fd` it is closed with the event.
LiteRtStatus LiteRtCreateEventFromSyncFenceFd(LiteRtEnvironment env, int sync_fence_fd,
                                              bool owns_fd, LiteRtEvent* event);

// The OpenCL event stays the caller's.
LiteRtStatus LiteRtCreateEventFromOpenClEvent(LiteRtEnvironment env, LiteRtClEvent cl_event,
                                              LiteRtEvent* event);

LiteRtStatus LiteRtCreateEventFromEglSyncFence(LiteRtEnvironment env, LiteRtEglSyncKhr egl_sync,
                                               LiteRtEvent* event);

// A new event of that kind. A custom one is empty until LiteRtSetCustomEvent.
LiteRtStatus LiteRtCreateManagedEvent(LiteRtEnvironment env, LiteRtEventType type,
                                      LiteRtEvent* event);

void LiteRtDestroyEvent(LiteRtEvent event);

// -- What is behind it --------------------------------------------------------
// Asking an event for another kind than its own fails with
// kLiteRtStatusErrorUnsupported.

LiteRtStatus LiteRtGetEventEventType(LiteRtEvent event, LiteRtEventType* type);

// Retains the custom event, and releases the one that was there before.
LiteRtStatus LiteRtSetCustomEvent(LiteRtEvent event, LiteRtCustomEvent custom_event);

// Lends.
LiteRtStatus LiteRtGetCustomEvent(LiteRtEvent event, LiteRtCustomEvent* custom_event);
LiteRtStatus LiteRtGetEventCustomNativeEvent(LiteRtEvent event, void** native);
LiteRtStatus LiteRtGetEventSyncFenceFd(LiteRtEvent event, int* sync_fence_fd);
LiteRtStatus LiteRtGetEventOpenClEvent(LiteRtEvent event, LiteRtClEvent* cl_event);
LiteRtStatus LiteRtGetEventEglSync(LiteRtEvent event, LiteRtEglSyncKhr* egl_sync);

// A duplicate of the event's file descriptor, for the caller to close.
LiteRtStatus LiteRtDupFdEvent(LiteRtEvent event, int* dup_fd);

// -- Use ----------------------------------------------------------------------

// Returns when the event is signalled; kLiteRtStatusErrorTimeoutExpired if that
// takes longer than `timeout_in_ms`. -1 waits for ever.
LiteRtStatus LiteRtWaitEvent(LiteRtEvent event, int64_t timeout_in_ms);

LiteRtStatus LiteRtSignalEvent(LiteRtEvent event);

LiteRtStatus LiteRtIsEventSignaled(LiteRtEvent event, bool* is_signaled);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_EVENT_H_
