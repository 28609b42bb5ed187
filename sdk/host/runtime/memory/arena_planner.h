// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where in one piece of memory each tensor lies, so that tensors that live at the same time never
// overlap. Pure.

#ifndef NPUKIT_SDK_HOST_RUNTIME_MEMORY_ARENA_PLANNER_H_
#define NPUKIT_SDK_HOST_RUNTIME_MEMORY_ARENA_PLANNER_H_

#include <cstdint>
#include <span>
#include <vector>

namespace npukit {

// Memory that is needed from the start of `first_step` to the end of `last_step`, both included.
struct ArenaBlock {
  uint64_t size_bytes = 0;
  int32_t first_step = 0;
  int32_t last_step = 0;
  // A power of two; of the offset, so the arena itself must be as aligned.
  uint64_t alignment_bytes = 64;
};

struct ArenaLayout {
  std::vector<uint64_t> offsets_bytes;  // one per block; 0 for empty blocks
  uint64_t peak_bytes = 0;              // end of the highest block
};

// Places blocks one after the other, each into the tightest gap that fits among those placed before
// which live at the same time, and takes the best of several orders (by size, lifetime, alignment,
// pressure, birth). The sum of all sizes and alignments must stay below 2^63. Deterministic; O(n^2)
// in the number of blocks, at most.
ArenaLayout PlanArena(std::span<const ArenaBlock> blocks);

// The largest sum of sizes that live at the same step: no layout is smaller.
uint64_t IdealArenaBytes(std::span<const ArenaBlock> blocks);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_MEMORY_ARENA_PLANNER_H_
