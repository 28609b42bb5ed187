// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The exported copy of a function that litert_model_types.h has inline, for what was linked against
// a LiteRT that exports its own. It does not call the inline one, which would be a symbol of the same
// name where nothing is inlined.

#include "litert/c/litert_model_types.h"

extern "C" {

LITERT_CAPI_EXPORT bool NpukitIsSameUnrankedTensorType(
    const LiteRtUnrankedTensorType* a,
    const LiteRtUnrankedTensorType* b) __asm__("LiteRtIsSameUnrankedTensorType");

bool NpukitIsSameUnrankedTensorType(const LiteRtUnrankedTensorType* a,
                                    const LiteRtUnrankedTensorType* b) {
  return a != nullptr && b != nullptr && a->element_type == b->element_type;
}

}  // extern "C"
