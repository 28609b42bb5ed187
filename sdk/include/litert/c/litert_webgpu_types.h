// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// WebGPU types as the API passes them: LiteRtWGPUBuffer is a WGPUBuffer where
// WebGPU is supported.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_WEBGPU_TYPES_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_WEBGPU_TYPES_H_

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#if LITERT_HAS_WEBGPU_SUPPORT
typedef struct WGPUBufferImpl LiteRtWGPUBufferImpl;
#else
typedef struct LiteRtWGPUBufferImpl LiteRtWGPUBufferImpl;
#endif

typedef LiteRtWGPUBufferImpl* LiteRtWGPUBuffer;

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_WEBGPU_TYPES_H_
