// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_EXTENSIONS_LAST_ERROR_H_
#define NPUKIT_EXTENSIONS_LAST_ERROR_H_

// An optional export of a compiler plugin: why its last call failed. A status says no more than the
// kind of an error; hosts put this sentence behind it. C11. npukit/plugin.h implements it from the
// errors that a plugin returns.

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The sentence of the call of this library that failed last in this thread, without the name of the
// function; the empty string if the last call did not fail, or said nothing. Never null. Valid until
// the thread calls the library again or ends.
LITERT_CAPI_EXPORT const char* NpukitLastError(void);

typedef const char* (*NpukitLastErrorT)(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_EXTENSIONS_LAST_ERROR_H_
