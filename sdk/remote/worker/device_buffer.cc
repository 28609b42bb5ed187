// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/device_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "litert/cc/litert_macros.h"
#include "sdk/remote/wire/frame.h"

namespace npukit::remote {

litert::Expected<std::unique_ptr<DeviceBuffer>> DeviceBuffer::Create(
    const LiteRtRankedTensorType& type, uint64_t size_bytes) {
  // What no message can carry.
  if (size_bytes > kMaxPayloadBytes / 2) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        fmt::format("a buffer of {} bytes is larger than the {} that reach a device", size_bytes,
                    kMaxPayloadBytes / 2));
  }
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  constexpr size_t kAlign = LITERT_HOST_MEMORY_BUFFER_ALIGNMENT;
  const size_t aligned = std::max<size_t>((size_bytes + kAlign - 1) / kAlign * kAlign, kAlign);
  const size_t body = (aligned + page - 1) / page * page;
  std::unique_ptr<DeviceBuffer> made(new DeviceBuffer);
  void* const mapping =
      mmap(nullptr, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              fmt::format("the device has no {} bytes left", size_bytes));
  }
  made->mapping_ = mapping;
  made->mapping_bytes_ = body + page;
  auto* const begin = static_cast<uint8_t*>(mapping);
  mprotect(begin + body, page, PROT_NONE);
  made->bytes_ = {begin + body - aligned, static_cast<size_t>(size_bytes)};
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateTensorBufferFromHostMemory(&type, made->bytes_.data(), made->bytes_.size(),
                                             /*deallocator=*/nullptr, &made->tensor_buffer_))
      << fmt::format("no tensor buffer of {} bytes of host memory", size_bytes);
  return made;
}

DeviceBuffer::~DeviceBuffer() {
  if (tensor_buffer_ != nullptr) LiteRtDestroyTensorBuffer(tensor_buffer_);
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

void DeviceBuffer::Remember() { remembered_.assign(bytes_.begin(), bytes_.end()); }

bool DeviceBuffer::HasChanged() const {
  return !std::equal(bytes_.begin(), bytes_.end(), remembered_.begin(), remembered_.end());
}

}  // namespace npukit::remote
