// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: the host's functions as a table, handed to a dispatch library when it
// is initialised and when it makes contexts. Valid for the life of the process.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_RUNTIME_CONTEXT_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_RUNTIME_CONTEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_event_type.h"
#include "litert/c/litert_gl_types.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_opencl_types.h"
#include "litert/c/litert_tensor_buffer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// TFLite's; only their addresses pass through the table.
typedef struct TfLiteTensor TfLiteTensor;
typedef struct TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegateStruct;
typedef struct AHardwareBuffer AHardwareBuffer;
#ifndef TENSORFLOW_LITE_CORE_C_C_API_TYPES_H_
typedef TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegate;
#endif

// What each member does stands at the function of the C API that
// litert_runtime_context.def names beside it. Of the members for TFLite
// delegates npukit's host has none: they give kLiteRtStatusErrorUnsupported.
typedef struct LiteRtRuntimeContext {
  LiteRtAbiHeader abi_header;
#define CONTEXT_FUNCTION(result, member, function, parameters, arguments) \
  result(*member) parameters;
#include "litert/c/internal/litert_runtime_context.def"
} LiteRtRuntimeContext;

#if defined(NPUKIT_ABI_2_3)
LITERT_ABI_ASSERT(sizeof(LiteRtRuntimeContext) == 408);
LITERT_ABI_ASSERT(offsetof(LiteRtRuntimeContext, get_options_hardware_accelerators) == 400);
#else
LITERT_ABI_ASSERT(sizeof(LiteRtRuntimeContext) == 400);
#endif
LITERT_ABI_ASSERT(offsetof(LiteRtRuntimeContext, create_tensor_buffer_requirements) == 8);
LITERT_ABI_ASSERT(offsetof(LiteRtRuntimeContext, external_litert_buffer_context_get_run_options) ==
                  392);

// The host's table. Not exported by libLiteRt.so.
LiteRtRuntimeContext* LrtGetRuntimeContext(void);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_RUNTIME_CONTEXT_H_
