// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The exported copy of a function that litert_model_types.h has inline, for what was linked against
// a LiteRT that exports its own.

#include "litert/c/litert_model_types.h"

extern "C" {

LITERT_CAPI_EXPORT bool NpukitIsSameUnrankedTensorType(
    const LiteRtUnrankedTensorType* a,
    const LiteRtUnrankedTensorType* b) __asm__("LiteRtIsSameUnrankedTensorType");

bool NpukitIsSameUnrankedTensorType(const LiteRtUnrankedTensorType* a,
                                    const LiteRtUnrankedTensorType* b) {
  return a != nullptr && b != nullptr && LiteRtIsSameUnrankedTensorType(a, b);
}

}  // extern "C"
