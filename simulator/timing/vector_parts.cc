// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/vector_parts.h"

#include <bit>

namespace acme {

void Finish(int64_t lane_cycles, const PortTotals& ports, const Hardware& hw,
            InstructionCost& cost) {
  const PortCycles read = CyclesThroughPort(ports.reads, hw.vector_read_words);
  const PortCycles write = CyclesThroughPort(ports.writes, hw.vector_write_words);
  const int64_t work = std::max({lane_cycles, read.cycles, write.cycles});
  const int64_t work_without_conflicts = std::max(
      {lane_cycles, read.cycles - read.conflict_cycles, write.cycles - write.conflict_cycles});
  cost.cycles = hw.vector_startup_cycles + work;
  cost.bank_conflict_cycles = work - work_without_conflicts;
  cost.scratchpad_words = ports.reads.words + ports.writes.words;
}

int64_t TreeCycles(int64_t rows, int64_t length, int64_t lanes) {
  const auto row_lanes = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(length)));
  return CeilDiv(rows, std::max<int64_t>(1, lanes / row_lanes));
}

int64_t ReducedCycles(int64_t lane_cycles, uint32_t dims, const Extents& shape, int64_t lanes) {
  if ((dims & 1) == 0) return lane_cycles;
  return std::max(lane_cycles, TreeCycles(Count(KeptExtents(shape, dims)), shape[0], lanes)) +
         std::bit_width(static_cast<uint64_t>(lanes)) - 1;
}

}  // namespace acme
