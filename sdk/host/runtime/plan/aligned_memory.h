// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory with an alignment, zeroed, freed with its owner.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "litert/cc/litert_expected.h"

namespace npukit {

class AlignedMemory {
 public:
  AlignedMemory() = default;

  // `alignment_bytes` is a power of two, at least sizeof(void*).
  static litert::Expected<AlignedMemory> Allocate(size_t size_bytes, size_t alignment_bytes);

  std::span<uint8_t> bytes() const { return {block_.get() + offset_bytes_, size_bytes_}; }

 private:
  struct Free {
    void operator()(uint8_t* data) const { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> block_;
  size_t offset_bytes_ = 0;
  size_t size_bytes_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_ALIGNED_MEMORY_H_
