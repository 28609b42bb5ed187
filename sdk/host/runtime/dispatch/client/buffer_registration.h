// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the host that a device may read and write: a tensor buffer over it, registered.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_

#include <cstdint>
#include <memory>
#include <span>

#include "litert/c/litert_model_types.h"
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
  ~BufferRegistration() { (void)Close(); }
  BufferRegistration(const BufferRegistration&) = delete;
  BufferRegistration& operator=(const BufferRegistration&) = delete;
  litert::Expected<void> Close();

  LiteRtTensorBufferHandle handle() const { return handle_; }
  // Lent.
  LiteRtTensorBuffer buffer() const { return buffer_; }

 private:
  explicit BufferRegistration(const DispatchDevice& device) : device_(device) {}

  const DispatchDevice& device_;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
  bool is_registered_ = false;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_BUFFER_REGISTRATION_H_
