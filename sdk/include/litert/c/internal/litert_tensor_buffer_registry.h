// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Registers the functions behind a custom kind of tensor buffer.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_TENSOR_BUFFER_REGISTRY_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_TENSOR_BUFFER_REGISTRY_H_

#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_tensor_buffer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The tags name the environment options whose values the functions get as
// device and queue.
LiteRtStatus LiteRtRegisterTensorBufferHandlers(
    LiteRtEnvironment env, LiteRtTensorBufferType buffer_type, CreateCustomTensorBuffer create_func,
    DestroyCustomTensorBuffer destroy_func, LockCustomTensorBuffer lock_func,
    UnlockCustomTensorBuffer unlock_func, ClearCustomTensorBuffer clear_func,
    ImportCustomTensorBuffer import_func, LiteRtEnvOptionTag device_tag,
    LiteRtEnvOptionTag queue_tag);

LiteRtStatus LiteRtGetTensorBufferRegistry(LiteRtEnvironment env, void** registry);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_TENSOR_BUFFER_REGISTRY_H_
