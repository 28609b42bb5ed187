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

// For buffers of that kind made with `env`: LiteRtCreateManagedTensorBuffer calls
// `create_func`, a lock maps the buffer by `lock_func`, and so on.
// `clear_func` and `import_func` may be null. The tags name the environment
// options whose values (integer or pointer) the functions get as device and
// queue. The same may be registered again; kLiteRtStatusErrorAlreadyExists if
// others are. The functions must live as long as buffers of the kind.
LiteRtStatus LiteRtRegisterTensorBufferHandlers(
    LiteRtEnvironment env, LiteRtTensorBufferType buffer_type, CreateCustomTensorBuffer create_func,
    DestroyCustomTensorBuffer destroy_func, LockCustomTensorBuffer lock_func,
    UnlockCustomTensorBuffer unlock_func, ClearCustomTensorBuffer clear_func,
    ImportCustomTensorBuffer import_func, LiteRtEnvOptionTag device_tag,
    LiteRtEnvOptionTag queue_tag);

// What LiteRtRegisterTensorBufferHandlers fills: means something to the host only.
LiteRtStatus LiteRtGetTensorBufferRegistry(LiteRtEnvironment env, void** registry);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_INTERNAL_LITERT_TENSOR_BUFFER_REGISTRY_H_
