// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory for the ports of the library under test.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_BUFFER_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "conformance/runner/vendor/guarded_memory.h"
#include "conformance/runner/vendor/vendor_device.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/client/buffer_registration.h"

namespace npukit::conformance {

// Guarded host memory, registered with a device.
class VendorBuffer {
 public:
  static litert::Expected<std::unique_ptr<VendorBuffer>> Create(VendorDevice& device,
                                                                const LiteRtRankedTensorType& type,
                                                                size_t size_bytes,
                                                                size_t alignment_bytes,
                                                                GuardedMemory::At at);
  // The same memory, registered once more.
  static litert::Expected<std::unique_ptr<VendorBuffer>> Another(VendorDevice& device,
                                                                 const LiteRtRankedTensorType& type,
                                                                 const VendorBuffer& buffer);
  litert::Expected<void> Close() { return registration_->Close(); }

  std::span<uint8_t> bytes() const { return memory_->bytes(); }
  const BufferRegistration& registration() const { return *registration_; }
  LiteRtTensorBufferHandle handle() const { return registration_->handle(); }
  GuardedMemory& memory() { return *memory_; }

 private:
  explicit VendorBuffer(std::shared_ptr<GuardedMemory> memory) : memory_(std::move(memory)) {}
  litert::Expected<void> Register(VendorDevice& device, const LiteRtRankedTensorType& type);

  std::shared_ptr<GuardedMemory> memory_;
  std::unique_ptr<BufferRegistration> registration_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_BUFFER_H_
