// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_EXTENSIONS_RESEAL_H_
#define NPUKIT_EXTENSIONS_RESEAL_H_

// How a checker of bytecode is checked. A checksum finds what happens to bytes
// by chance, and so hides whether what stands behind it (sizes, offsets,
// operands of instructions) is looked at. An optional export of a dispatch
// library, looked up by name; never called where models run. C11.

#include <stddef.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// `bytes` are bytecode of the library's compiler, in part changed by somebody.
// Makes right, in place, the checksums that guard them, and nothing else.
// kLiteRtStatusErrorInvalidArgument: where they stand can't be told any more.
LITERT_CAPI_EXPORT LiteRtStatus NpukitDispatchReseal(void* bytes, size_t size_bytes);

typedef LiteRtStatus (*NpukitDispatchResealT)(void*, size_t);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // NPUKIT_EXTENSIONS_RESEAL_H_
