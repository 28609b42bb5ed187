// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: something that a compiler plugin made and the dispatch library of the
// same vendor runs, in one process. Only the vendor knows what stands behind it.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_JIT_EXECUTABLE_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_JIT_EXECUTABLE_H_

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

LITERT_DEFINE_HANDLE(LiteRtJitExecutable);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_JIT_EXECUTABLE_H_
