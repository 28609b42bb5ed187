// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of tensor buffers that a library brings by functions of its own
// (litert_custom_tensor_buffer.h), as an environment knows them.

#ifndef NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_
#define NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_

#include <map>

#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_environment_options.h"
#include "litert/c/litert_tensor_buffer_types.h"

namespace npukit {

// `clear` and `import` may be null.
struct CustomMemoryHandlers {
  CreateCustomTensorBuffer create = nullptr;
  DestroyCustomTensorBuffer destroy = nullptr;
  LockCustomTensorBuffer lock = nullptr;
  UnlockCustomTensorBuffer unlock = nullptr;
  ClearCustomTensorBuffer clear = nullptr;
  ImportCustomTensorBuffer import = nullptr;
  LiteRtEnvOptionTag device_tag = {};  // environment options whose values `create` gets
  LiteRtEnvOptionTag queue_tag = {};
};

using CustomMemoryRegistry = std::map<LiteRtTensorBufferType, CustomMemoryHandlers>;

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_
