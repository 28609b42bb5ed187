// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/bad_index.h"

#include <fmt/format.h>

#include "simulator/isa/instruction.h"

namespace acme {

Error BadIndexError(const Memory::BadIndex& bad, uint32_t pc, const std::string& name) {
  return Error(
      ErrorCode::kBadIndex,
      fmt::format("instruction {}{}: index {} at position {} is outside 0 to {}", pc,
                  name.empty() ? std::string() : " of " + name, bad.index, bad.position, bad.last),
      static_cast<int64_t>(pc) * kInstructionBytes);
}

}  // namespace acme
