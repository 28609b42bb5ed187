// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/scratchpad_occupancy.h"

#include <algorithm>

namespace acme {

ScratchpadOccupancy::ScratchpadOccupancy(const Hardware& hardware)
    : array_cols_(hardware.array_cols),
      blocks_(static_cast<size_t>((hardware.scratchpad_bytes + kBlockBytes - 1) / kBlockBytes)) {}

void ScratchpadOccupancy::Begin(int64_t now, const Instr& instr, const EngineState& state) {
  // Reads first: an instruction that works in place ends what it reads and begins what it writes.
  for (const bool write : {false, true}) {
    ForEachAccess(instr, state, array_cols_, [&](const Access& access) {
      if (access.space != Space::kScratchpad || access.write != write) return;
      // Runs that repeat or lie side by side are one, which spares most of the work.
      if (access.chosen > 0) {
        Touch(now, write, access.LowBytes(), access.HighBytes() - access.LowBytes());
        return;
      }
      Access runs = access;
      for (size_t d = 0; d < runs.count.size(); ++d) {
        if (runs.stride[d] == 0) {
          runs.count[d] = 1;
        } else if (runs.stride[d] > 0 && runs.stride[d] <= runs.run_bytes) {
          runs.run_bytes += (runs.count[d] - 1) * runs.stride[d];
          runs.count[d] = 1;
        }
      }
      ForEachRun(runs, [&](int64_t addr, int64_t bytes) { Touch(now, write, addr, bytes); });
    });
  }
}

void ScratchpadOccupancy::Touch(int64_t now, bool write, int64_t addr_bytes, int64_t bytes) {
  if (bytes <= 0) return;
  const int64_t last = std::min<int64_t>((addr_bytes + bytes - 1) / kBlockBytes,
                                         static_cast<int64_t>(blocks_.size()) - 1);
  for (int64_t at = addr_bytes / kBlockBytes; at <= last; ++at) {
    Block& block = blocks_[static_cast<size_t>(at)];
    if (write && (block.written_at < 0 || block.was_read)) {
      Close(block);
      block = {.written_at = now, .used_at = now, .was_read = false};
      continue;
    }
    if (block.written_at < 0) continue;  // read though nobody wrote it
    block.used_at = now;
    block.was_read = block.was_read || !write;
  }
}

// Levels are kept as changes at their cycles: a block's life is known only when it ends, which is
// out of order with the lives of others.
void ScratchpadOccupancy::Close(Block& block) {
  if (block.written_at < 0 || block.used_at <= block.written_at) return;
  changes_bytes_[block.written_at] += kBlockBytes;
  changes_bytes_[block.used_at] -= kBlockBytes;
}

std::vector<OccupancyLevel> ScratchpadOccupancy::Take(int64_t end_cycle) {
  for (Block& block : blocks_) Close(block);
  std::vector<OccupancyLevel> levels;
  int64_t bytes = 0;
  for (const auto& [cycle, change] : changes_bytes_) {
    if (change == 0) continue;
    bytes += change;
    levels.push_back({std::min(cycle, end_cycle), bytes});
  }
  changes_bytes_.clear();
  return levels;
}

}  // namespace acme
