// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/bytecode.h"

#include <algorithm>

#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

litert::Expected<Bytecode> Bytecode::Create(std::span<const uint8_t> bytes, size_t offset_bytes) {
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory,
                          GuardedMemory::Allocate(bytes.size() + offset_bytes, 1));
  std::copy(bytes.begin(), bytes.end(),
            memory.bytes().begin() + static_cast<ptrdiff_t>(offset_bytes));
  memory.MakeReadOnly();
  LiteRtMemBuffer buffer = {};
  buffer.fd = -1;
  buffer.base_addr = memory.bytes().data();
  buffer.offset = offset_bytes;
  buffer.size = bytes.size();
  return Bytecode(std::move(memory), buffer);
}

}  // namespace npukit::conformance
