// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of tensor buffers that a library brings by functions of its own
// (litert_custom_tensor_buffer.h), as an environment knows them.

#ifndef NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_
#define NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_

#include <map>
#include <mutex>
#include <optional>

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

  bool operator==(const CustomMemoryHandlers&) const = default;
};

// Thread-safe: each compiled model of an environment registers what its libraries bring.
class CustomMemoryRegistry {
 public:
  // False if there are others for that kind. Adding the same again does nothing.
  bool Add(LiteRtTensorBufferType kind, const CustomMemoryHandlers& handlers) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return handlers_.emplace(kind, handlers).first->second == handlers;
  }
  std::optional<CustomMemoryHandlers> Find(LiteRtTensorBufferType kind) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = handlers_.find(kind);
    if (found == handlers_.end()) return std::nullopt;
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<LiteRtTensorBufferType, CustomMemoryHandlers> handlers_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_ENVIRONMENT_CUSTOM_MEMORY_HANDLERS_H_
