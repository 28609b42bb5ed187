// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory between two pages that can't be touched, its end as near to the second as the alignment
// allows; the gap is filled with a pattern that is looked at later. A write beyond either end
// crashes at once or shows afterwards.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

class GuardedMemory {
 public:
  // `offset_bytes` moves the start off its alignment.
  static litert::Expected<GuardedMemory> Allocate(size_t size_bytes, size_t alignment_bytes,
                                                  size_t offset_bytes = 0);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  ~GuardedMemory();

  std::span<uint8_t> bytes() const { return {data_, size_bytes_}; }
  // Nobody wrote around the bytes.
  bool Intact() const;
  // From here on a write to the bytes crashes.
  void MakeReadOnly();

 private:
  GuardedMemory() = default;

  uint8_t* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  uint8_t* data_ = nullptr;
  size_t size_bytes_ = 0;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_
