// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bytecode as the library under test gets it.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_BYTECODE_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_BYTECODE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "conformance/runner/vendor/guarded_memory.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::conformance {

// Where bytecode lies: `offset_bytes` behind the base address of its LiteRtMemBuffer. Read-only for
// the vendor.
class Bytecode {
 public:
  static litert::Expected<Bytecode> Create(std::span<const uint8_t> bytes, size_t offset_bytes = 0);
  const LiteRtMemBuffer& buffer() const { return buffer_; }

 private:
  Bytecode(GuardedMemory memory, const LiteRtMemBuffer& buffer)
      : memory_(std::move(memory)), buffer_(buffer) {}
  GuardedMemory memory_;
  LiteRtMemBuffer buffer_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_BYTECODE_H_
