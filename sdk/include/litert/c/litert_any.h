// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A value of one of a few basic types: what environment options and metrics
// hold.

#ifndef ODML_LITERT_LITERT_C_LITERT_ANY_H_
#define ODML_LITERT_LITERT_C_LITERT_ANY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  kLiteRtAnyTypeNone = 0,
  kLiteRtAnyTypeBool = 1,
  kLiteRtAnyTypeInt = 2,
  kLiteRtAnyTypeReal = 3,
  kLiteRtAnyTypeString = 8,
  kLiteRtAnyTypeVoidPtr = 9,
} LiteRtAnyType;

// The name of the enumerator, or "Unknown". Static storage.
static inline const char* LiteRtAnyTypeToString(LiteRtAnyType type) {
  return type == kLiteRtAnyTypeNone      ? "kLiteRtAnyTypeNone"
         : type == kLiteRtAnyTypeBool    ? "kLiteRtAnyTypeBool"
         : type == kLiteRtAnyTypeInt     ? "kLiteRtAnyTypeInt"
         : type == kLiteRtAnyTypeReal    ? "kLiteRtAnyTypeReal"
         : type == kLiteRtAnyTypeString  ? "kLiteRtAnyTypeString"
         : type == kLiteRtAnyTypeVoidPtr ? "kLiteRtAnyTypeVoidPtr"
                                         : "Unknown";
}

// `type` says which member is set. Strings and pointers are borrowed: whoever
// hands out a LiteRtAny says how long they live.
typedef struct {
  LiteRtAnyType type;
  union {
    bool bool_value;
    int64_t int_value;
    double real_value;
    const char* str_value;  // Ends with NUL.
    const void* ptr_value;
  };
} LiteRtAny;

LITERT_ABI_ASSERT(sizeof(LiteRtAny) == 16);
LITERT_ABI_ASSERT(offsetof(LiteRtAny, int_value) == 8);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_ANY_H_
