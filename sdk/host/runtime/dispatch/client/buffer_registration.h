// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory that a device may read and write, the host's or of its library's own: a tensor buffer over
// it, registered.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch.h"
#include "sdk/host/runtime/dispatch/client/dispatch_device.h"

namespace npukit {

class BufferRegistration {
 public:
  // `memory` is aligned to 64 bytes, is not owned, and stays where it is until Close; so does the
  // device. The type may have strides.
  static litert::Expected<std::unique_ptr<BufferRegistration>> Create(
      const DispatchDevice& device, std::span<uint8_t> memory, const LiteRtRankedTensorType& type);
  // In memory that the library's functions make (buffer_handlers.h), which are registered with the
  // environment.
  static litert::Expected<std::unique_ptr<BufferRegistration>> CreateOwn(
      const DispatchDevice& device, LiteRtEnvironment environment,
      LiteRtTensorBufferType buffer_type, size_t size_bytes, const LiteRtRankedTensorType& type);
  ~BufferRegistration() { (void)Close(); }
  BufferRegistration(const BufferRegistration&) = delete;
  BufferRegistration& operator=(const BufferRegistration&) = delete;
  litert::Expected<void> Close();

  LiteRtTensorBufferHandle handle() const { return handle_; }
  // Lent.
  LiteRtTensorBuffer buffer() const { return buffer_; }
  // Calls `use` with the bytes, while they are mapped. For memory of the library's own.
  litert::Expected<void> WhileMapped(LiteRtTensorBufferLockMode mode,
                                     const std::function<void(std::span<uint8_t>)>& use) const;

 private:
  explicit BufferRegistration(const DispatchDevice& device) : device_(device) {}
  litert::Expected<void> Register(const std::string& what);

  const DispatchDevice& device_;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
  bool is_registered_ = false;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_
