// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_EXTENSIONS_EVENT_STATUS_H_
#define NPUKIT_EXTENSIONS_EVENT_STATUS_H_

// How an asynchronous run ended. LiteRT's events say only that it did: an
// event of a failed run is signalled too. An optional export of a dispatch
// library, looked up by name. C11.

#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/delegate_debug.h"

#ifdef __cplusplus
extern "C" {
#endif

// `event` is one that invoke_async of this library gave. Writes how the run
// behind it ended: kLiteRtStatusOk, the run's error, or kLiteRtStatusCancelled
// if its invocation context was destroyed before it began. For an error also
// the handle at fault, NPUKIT_NO_DEBUG_HANDLE if it is not known, and the
// message, cut to fit; `buffer` may be null.
//
// kLiteRtStatusErrorTimeoutExpired: the event is not signalled yet.
// kLiteRtStatusErrorInvalidArgument: not an event of this library.
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchGetEventStatus(LiteRtEvent event,
                                                             LiteRtStatus* status,
                                                             NpukitDebugHandle* handle,
                                                             char* buffer, size_t size_bytes);

typedef LiteRtStatus (*NpukitDispatchGetEventStatusT)(LiteRtEvent, LiteRtStatus*,
                                                      NpukitDebugHandle*, char*, size_t);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_EXTENSIONS_EVENT_STATUS_H_
