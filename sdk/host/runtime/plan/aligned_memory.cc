// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/plan/aligned_memory.h"

#include <fmt/format.h>

#include <cstdlib>

namespace npukit {

litert::Expected<AlignedMemory> AlignedMemory::Allocate(size_t size_bytes, size_t alignment_bytes) {
  AlignedMemory memory;
  if (size_bytes == 0) return memory;
  // Large blocks come as pages of zeros that cost nothing until they are written: of a model that says
  // more than it uses, or of a damaged one, most never are.
  const size_t rounded = (size_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  if (rounded >= size_bytes)  // so many have no sum
    memory.block_.reset(
        static_cast<uint8_t*>(std::calloc(rounded / alignment_bytes + 1, alignment_bytes)));
  if (memory.block_ == nullptr) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              fmt::format("no memory for {} bytes", size_bytes));
  }
  const auto address = reinterpret_cast<uintptr_t>(memory.block_.get());
  memory.offset_bytes_ = (alignment_bytes - address % alignment_bytes) % alignment_bytes;
  memory.size_bytes_ = size_bytes;
  return memory;
}

}  // namespace npukit
