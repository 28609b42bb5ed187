// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// abi 2.2: how a dispatch library brings tensor buffers of a kind that only it
// knows. The functions are called as LiteRtRegisterTensorBufferHandlers says.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_CUSTOM_TENSOR_BUFFER_HANDLERS_DEF_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_CUSTOM_TENSOR_BUFFER_HANDLERS_DEF_H_

#include <stddef.h>

#include "litert/c/internal/litert_abi_header.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_tensor_buffer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LITERT_CUSTOM_BUFFER_HANDLERS_DEF_MAX_SUPPORTED_BUFFER_TYPES 16

typedef struct LiteRtCustomTensorBufferHandlersDef {
  LiteRtAbiHeader abi_header;
  CreateCustomTensorBuffer create_func;
  DestroyCustomTensorBuffer destroy_func;
  LockCustomTensorBuffer lock_func;
  UnlockCustomTensorBuffer unlock_func;
  ClearCustomTensorBuffer clear_func;
  ImportCustomTensorBuffer import_func;
  LiteRtEnvOptionTag device_tag;
  LiteRtEnvOptionTag queue_tag;
  size_t num_supported_buffer_types;
  LiteRtTensorBufferType
      supported_buffer_types[LITERT_CUSTOM_BUFFER_HANDLERS_DEF_MAX_SUPPORTED_BUFFER_TYPES];
} LiteRtCustomTensorBufferHandlersDef;

LITERT_ABI_ASSERT(sizeof(LiteRtCustomTensorBufferHandlersDef) == 136);
LITERT_ABI_ASSERT(offsetof(LiteRtCustomTensorBufferHandlersDef, device_tag) == 56);
LITERT_ABI_ASSERT(offsetof(LiteRtCustomTensorBufferHandlersDef, supported_buffer_types) == 72);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_CUSTOM_TENSOR_BUFFER_HANDLERS_DEF_H_
