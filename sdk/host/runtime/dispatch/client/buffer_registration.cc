// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/buffer_registration.h"

#include <fmt/format.h>

#include <utility>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit {

litert::Expected<std::unique_ptr<BufferRegistration>> BufferRegistration::Create(
    const DispatchDevice& device, std::span<uint8_t> memory, const LiteRtRankedTensorType& type) {
  // A tensor without elements has no memory, and a tensor buffer has an address all the same.
  alignas(LITERT_HOST_MEMORY_BUFFER_ALIGNMENT) static uint8_t no_elements[1];
  uint8_t* const address = memory.empty() ? no_elements : memory.data();
  std::unique_ptr<BufferRegistration> made(new BufferRegistration(device));
  LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferFromHostMemory(
      &type, address, memory.size(), /*deallocator=*/nullptr, &made->buffer_))
      << fmt::format("no tensor buffer of {} bytes of host memory", memory.size());
  const DispatchClient& client = device.client();
  const LiteRtStatus status =
      client.Call("register_tensor_buffer", client.functions().register_tensor_buffer,
                  device.context(), made->buffer_, &made->handle_);
  if (status != kLiteRtStatusOk) {
    return client.CallError(
        status, fmt::format("register_tensor_buffer({} bytes of host memory)", memory.size()));
  }
  made->is_registered_ = true;
  return made;
}

litert::Expected<void> BufferRegistration::Close() {
  litert::Expected<void> result;
  if (std::exchange(is_registered_, false)) {
    const DispatchClient& client = device_.client();
    const LiteRtStatus status =
        client.Call("unregister_tensor_buffer", client.functions().unregister_tensor_buffer,
                    device_.context(), handle_);
    if (status != kLiteRtStatusOk)
      result =
          client.CallError(status, fmt::format("unregister_tensor_buffer(handle {})", handle_));
  }
  if (buffer_ != nullptr) LiteRtDestroyTensorBuffer(std::exchange(buffer_, nullptr));
  return result;
}

}  // namespace npukit
