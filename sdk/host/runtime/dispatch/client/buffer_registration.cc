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
  LITERT_RETURN_IF_ERROR(made->Register(fmt::format("{} bytes of host memory", memory.size())));
  return made;
}

litert::Expected<std::unique_ptr<BufferRegistration>> BufferRegistration::CreateOwn(
    const DispatchDevice& device, LiteRtEnvironment environment, LiteRtTensorBufferType buffer_type,
    size_t size_bytes, const LiteRtRankedTensorType& type) {
  const DispatchClient& client = device.client();
  std::unique_ptr<BufferRegistration> made(new BufferRegistration(device));
  const LiteRtStatus status =
      client.Call("create_func", LiteRtCreateManagedTensorBuffer, environment, buffer_type, &type,
                  size_bytes, &made->buffer_);
  const std::string what =
      fmt::format("{} bytes of type {}", size_bytes, static_cast<int>(buffer_type));
  if (status != kLiteRtStatusOk)
    return client.CallError(status, fmt::format("create_func({})", what));
  LITERT_RETURN_IF_ERROR(made->Register(what));
  return made;
}

litert::Expected<void> BufferRegistration::Register(const std::string& what) {
  const DispatchClient& client = device_.client();
  const LiteRtStatus status =
      client.Call("register_tensor_buffer", client.functions().register_tensor_buffer,
                  device_.context(), buffer_, &handle_);
  is_registered_ = status == kLiteRtStatusOk;
  if (is_registered_) return {};
  return client.CallError(status, fmt::format("register_tensor_buffer({})", what));
}

litert::Expected<void> BufferRegistration::WhileMapped(
    LiteRtTensorBufferLockMode mode, const std::function<void(std::span<uint8_t>)>& use) const {
  const DispatchClient& client = device_.client();
  size_t size_bytes = 0;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferSize(buffer_, &size_bytes));
  void* address = nullptr;
  LiteRtStatus status = client.Call("lock_func", LiteRtLockTensorBuffer, buffer_, &address, mode);
  if (status != kLiteRtStatusOk) return client.CallError(status, "lock_func");
  use({static_cast<uint8_t*>(address), size_bytes});
  status = client.Call("unlock_func", LiteRtUnlockTensorBuffer, buffer_);
  if (status != kLiteRtStatusOk) return client.CallError(status, "unlock_func");
  return {};
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
