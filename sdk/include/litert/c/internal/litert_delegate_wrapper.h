// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A TFLite delegate as a handle. npukit's host runs no delegates: both fail with
// kLiteRtStatusErrorUnsupported.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_DELEGATE_WRAPPER_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_DELEGATE_WRAPPER_H_

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(NPUKIT_ABI_2_2)
LiteRtStatus LiteRtWrapDelegate(TfLiteOpaqueDelegate* delegate, LiteRtDelegateWrapper* wrapper);
#endif
// Since v2.2.0. Does nothing.
void LiteRtDestroyDelegateWrapper(LiteRtDelegateWrapper wrapper);
LiteRtStatus LiteRtUnwrapDelegate(LiteRtDelegateWrapper wrapper, TfLiteOpaqueDelegate** delegate);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_DELEGATE_WRAPPER_H_
