// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// OpenCL types as the API passes them; LiteRtClMem is a cl_mem, LiteRtClEvent a
// cl_event, so that no OpenCL header is needed.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_OPENCL_TYPES_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_OPENCL_TYPES_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cl_mem* LiteRtClMem;
typedef struct _cl_event* LiteRtClEvent;
typedef int32_t LiteRtClInt;

#define LITE_RT_CL_SUCCESS 0
#define LITE_RT_CL_COMPLETE 0x0

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_OPENCL_TYPES_H_
