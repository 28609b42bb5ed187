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
  std::unique_ptr<VendorBuffer> made(new VendorBuffer(std::move(memory)));
  LITERT_ASSIGN_OR_RETURN(made->registration_,
                          BufferRegistration::Create(device.device(), made->bytes(), type));
  return made;
}

}  // namespace npukit::conformance
