// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_buffer.h"

#include <algorithm>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

litert::Expected<std::unique_ptr<VendorBuffer>> VendorBuffer::Create(
    VendorDevice& device, const LiteRtRankedTensorType& type, size_t size_bytes,
    size_t alignment_bytes, GuardedMemory::At at) {
  const size_t alignment = std::max<size_t>(alignment_bytes, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT);
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory,
                          GuardedMemory::Allocate(size_bytes, alignment, 0, at));
  std::unique_ptr<VendorBuffer> made(
      new VendorBuffer(std::make_shared<GuardedMemory>(std::move(memory))));
  LITERT_RETURN_IF_ERROR(made->Register(device, type));
  return made;
}

litert::Expected<std::unique_ptr<VendorBuffer>> VendorBuffer::Another(
    VendorDevice& device, const LiteRtRankedTensorType& type, const VendorBuffer& buffer) {
  std::unique_ptr<VendorBuffer> made(new VendorBuffer(buffer.memory_));
  LITERT_RETURN_IF_ERROR(made->Register(device, type));
  return made;
}

litert::Expected<void> VendorBuffer::Register(VendorDevice& device,
                                              const LiteRtRankedTensorType& type) {
  LITERT_ASSIGN_OR_RETURN(registration_,
                          BufferRegistration::Create(device.device(), bytes(), type));
  return {};
}

}  // namespace npukit::conformance
