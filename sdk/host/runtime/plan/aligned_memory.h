// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory with an alignment, zeroed, freed with its owner.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "litert/cc/litert_expected.h"

namespace npukit {

class AlignedMemory {
 public:
  AlignedMemory() = default;

  // `alignment_bytes` is a power of two, at least sizeof(void*).
  static litert::Expected<AlignedMemory> Allocate(size_t size_bytes, size_t alignment_bytes) {
    AlignedMemory memory;
    if (size_bytes == 0) return memory;
    const size_t rounded = (size_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
    memory.data_.reset(static_cast<uint8_t*>(std::aligned_alloc(alignment_bytes, rounded)));
    if (memory.data_ == nullptr) {
      return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                                "no memory for " + std::to_string(size_bytes) + " bytes");
    }
    std::memset(memory.data_.get(), 0, rounded);
    memory.size_bytes_ = size_bytes;
    return memory;
  }

  std::span<uint8_t> bytes() const { return {data_.get(), size_bytes_}; }

 private:
  struct Free {
    void operator()(uint8_t* data) const { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  size_t size_bytes_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_
