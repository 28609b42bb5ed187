// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/buffer_handlers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "litert/c/internal/litert_tensor_buffer_registry.h"

namespace npukit {

std::span<const LiteRtTensorBufferType> HandledTypes(const BufferHandlers& handlers) {
  constexpr size_t kMost = LITERT_CUSTOM_BUFFER_HANDLERS_DEF_MAX_SUPPORTED_BUFFER_TYPES;
  return {handlers.supported_buffer_types, std::min(handlers.num_supported_buffer_types, kMost)};
}

std::string CheckBufferHandlers(const BufferHandlers& handlers) {
  const struct {
    bool is_there;
    const char* name;
  } functions[] = {{handlers.create_func != nullptr, "create_func"},
                   {handlers.destroy_func != nullptr, "destroy_func"},
                   {handlers.lock_func != nullptr, "lock_func"},
                   {handlers.unlock_func != nullptr, "unlock_func"}};
  for (const auto& function : functions) {
    if (!function.is_there) return fmt::format("left {} null", function.name);
  }
  if (handlers.num_supported_buffer_types >
      LITERT_CUSTOM_BUFFER_HANDLERS_DEF_MAX_SUPPORTED_BUFFER_TYPES) {
    return fmt::format("say that they are for {} types of buffers, {} are the most",
                       handlers.num_supported_buffer_types,
                       LITERT_CUSTOM_BUFFER_HANDLERS_DEF_MAX_SUPPORTED_BUFFER_TYPES);
  }
  for (const LiteRtTensorBufferType type : HandledTypes(handlers)) {
    if (type == kLiteRtTensorBufferTypeUnknown || type == kLiteRtTensorBufferTypeHostMemory)
      return fmt::format("are for type {}, which is not a library's to bring",
                         static_cast<int>(type));
  }
  return {};
}

litert::Expected<void> RegisterBufferHandlers(const BufferHandlers& handlers,
                                              LiteRtEnvironment environment) {
  for (const LiteRtTensorBufferType type : HandledTypes(handlers)) {
    const LiteRtStatus status = LiteRtRegisterTensorBufferHandlers(
        environment, type, handlers.create_func, handlers.destroy_func, handlers.lock_func,
        handlers.unlock_func, handlers.clear_func, handlers.import_func, handlers.device_tag,
        handlers.queue_tag);
    if (status == kLiteRtStatusOk) continue;
    return litert::Unexpected(
        status, fmt::format("the functions for tensor buffers of type {} can't be registered: {}",
                            static_cast<int>(type),
                            status == kLiteRtStatusErrorAlreadyExists
                                ? "the environment has others for it"
                                : litert::internal::StatusString(status)));
  }
  return {};
}

}  // namespace npukit
