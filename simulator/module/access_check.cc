// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/module/access_check.h"

#include <fmt/format.h>

namespace acme {

Refusal CheckAccess(const Access& access, const Hardware& hardware,
                    std::span<const BufferLimits> buffers) {
  uint64_t size = 0;
  std::string where;
  switch (access.space) {
    case Space::kScratchpad:
      size = hardware.scratchpad_bytes;
      where = "the scratchpad";
      break;
    case Space::kAccumulators:
      size = hardware.accumulator_rows * hardware.AccumulatorRowBytes();
      where = "the accumulators";
      break;
    case Space::kDram: {
      where = fmt::format("binding {}", access.binding);
      if (access.binding >= buffers.size()) return where + " does not exist";
      const BufferLimits& buffer = buffers[access.binding];
      if (access.write && !buffer.writable) return where + " can't be written";
      if (!access.write && !buffer.readable) return where + " can't be read";
      size = buffer.size_bytes;
      break;
    }
  }
  const int64_t low = access.LowBytes();
  const int64_t high = access.HighBytes();
  if (low >= 0 && static_cast<uint64_t>(high) <= size) return std::nullopt;
  return fmt::format("{} bytes {} to {} of {}, which has {}", access.write ? "writes" : "reads",
                     low, high, where, size);
}

}  // namespace acme
