// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hooks: what a dispatch library is told of the life of a compiled model, so that it can profile.
// From LiteRT's main of August 2026 on.

#ifndef ODML_LITERT_LITERT_C_LITERT_PROFILER_TYPES_H_
#define ODML_LITERT_LITERT_C_LITERT_PROFILER_TYPES_H_

#include <stddef.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of one model: CompilerStart, CompilerStop, then RuntimeStart and RuntimeStop around each run, at
// the end StopAndProcess. CompilerStop does not come where compiling fails.
typedef enum LiteRtHookType {
  kLiteRtHookTypeRuntimeStart = 0,
  kLiteRtHookTypeRuntimeStop = 1,
  kLiteRtHookTypeCompilerStart = 2,
  kLiteRtHookTypeCompilerStop = 3,
  kLiteRtHookTypeStopAndProcess = 4,
} LiteRtHookType;

// Called on the thread that compiles or runs; must not register or trigger hooks itself. `data` is
// null and `size` 0 for the types above.
typedef void (*LiteRtHook)(LiteRtHookType type, const void* data, size_t size, void* user_data);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_PROFILER_TYPES_H_
