// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/aligned_memory.h"

#include <fmt/format.h>

#include <cstring>

namespace npukit {

litert::Expected<AlignedMemory> AlignedMemory::Allocate(size_t size_bytes, size_t alignment_bytes) {
  AlignedMemory memory;
  if (size_bytes == 0) return memory;
  const size_t rounded = (size_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  memory.data_.reset(static_cast<uint8_t*>(std::aligned_alloc(alignment_bytes, rounded)));
  if (memory.data_ == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              fmt::format("no memory for {} bytes", size_bytes));
  }
  std::memset(memory.data_.get(), 0, rounded);
  memory.size_bytes_ = size_bytes;
  return memory;
}

}  // namespace npukit
