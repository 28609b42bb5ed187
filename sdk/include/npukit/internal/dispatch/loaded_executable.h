// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_LOADED_EXECUTABLE_H_
#define NPUKIT_INTERNAL_DISPATCH_LOADED_EXECUTABLE_H_

// A module that a host loaded apart from any invocation, with the scratchpads
// that it attached to its entry points.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "npukit/device.h"
#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// Whether a tensor buffer may be a scratchpad of these requirements; else says why not.
inline ::litert::Expected<void> CheckScratchpad(const BufferRequirements& needed,
                                                LiteRtTensorBuffer buffer) {
  const auto refuse = [](std::initializer_list<::litert::internal::TextPiece> why) {
    return ::litert::Unexpected(::litert::Status::kErrorInvalidArgument,
                                ::litert::internal::Text(why));
  };
  size_t size_bytes = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer, &size_bytes));
  if (size_bytes < needed.size_bytes) {
    return refuse(
        {"the scratchpad needs ", needed.size_bytes, " bytes, the tensor buffer has ", size_bytes});
  }
  LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferType(buffer, &type));
  bool is_accepted = false;
  for (const LiteRtTensorBufferType accepted : needed.types)
    is_accepted = is_accepted || accepted == type;
  if (!is_accepted) {
    return refuse({"a tensor buffer of type ", static_cast<int>(type),
                   " can't be the scratchpad: not among those that were asked for"});
  }
  if (type != kLiteRtTensorBufferTypeHostMemory) return {};
  void* address = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferHostMemory(buffer, &address));
  if (reinterpret_cast<uintptr_t>(address) % needed.alignment_bytes != 0) {
    return refuse({"the scratchpad must be aligned to ", needed.alignment_bytes,
                   " bytes, the tensor buffer is not"});
  }
  return {};
}

// Bytecode that a device has looked at.
struct LoadedExecutable {
  LiteRtDispatchExecutableType type = kLiteRtDispatchExecutableTypeUnknown;
  ::litert::internal::Span<const uint8_t> bytes;  // the caller's, or those in `storage`
  const void* executable = nullptr;               // in place of bytes
  std::vector<uint8_t> storage;

  LoadRequest RequestFor(const std::string& function) const {
    LoadRequest request;
    request.type = type;
    request.bytecode = bytes;
    request.executable = executable;
    request.function_name = function;
    return request;
  }

  // What the device says of an entry point, which is asked once.
  ::litert::Expected<BufferRequirements> ScratchpadRequirements(Device& device,
                                                                const std::string& function) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = scratchpads.find(function);
    if (known != scratchpads.end()) return known->second.needed;
    LITERT_ASSIGN_OR_RETURN(BufferRequirements needed,
                            device.ScratchpadRequirements(RequestFor(function)));
    if (needed.alignment_bytes == 0) needed.alignment_bytes = 1;
    scratchpads[function].needed = needed;
    return needed;
  }
  // The buffer of the invocations that are made from now on. The requirements are known.
  void AttachScratchpad(const std::string& function, uint64_t handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    scratchpads[function].handle = handle;
  }
  struct Scratchpad {
    BufferRequirements needed;
    uint64_t handle = 0;  // none is attached
  };
  Scratchpad ScratchpadOf(const std::string& function) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = scratchpads.find(function);
    return known != scratchpads.end() ? known->second : Scratchpad{};
  }

  std::mutex mutex;                               // for what follows
  std::map<std::string, Scratchpad> scratchpads;  // by entry point
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_LOADED_EXECUTABLE_H_
