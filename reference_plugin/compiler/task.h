// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The unit that scheduling works on: one instruction that does work, the configuration that it
// needs, and the memory it touches. Lowering writes tasks in an order that would be right if they
// ran one after the other; hazards.h finds which of them must wait for which when the engines run
// side by side.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/isa/instruction.h"

namespace acme::compiler {

// An address range [begin, end) of one memory: bytes of the scratchpad, rows of the accumulators,
// bytes of a DRAM binding.
struct Region {
  enum class Space : uint8_t { kScratchpad, kAccumulators, kDram };
  Space space = Space::kScratchpad;
  uint32_t binding = 0;  // for DRAM
  int64_t begin = 0;
  int64_t end = 0;

  bool SameMemory(const Region& other) const {
    return space == other.space && binding == other.binding;
  }
  bool Overlaps(const Region& other) const {
    return SameMemory(other) && begin < other.end && other.begin < end;
  }
  bool Contains(const Region& other) const {
    return SameMemory(other) && begin <= other.begin && other.end <= end;
  }
  bool operator==(const Region&) const = default;
};

inline Region ScratchpadRegion(int64_t begin, int64_t bytes) {
  return {Region::Space::kScratchpad, 0, begin, begin + bytes};
}
inline Region AccumulatorRegion(int64_t begin, int64_t rows) {
  return {Region::Space::kAccumulators, 0, begin, begin + rows};
}
inline Region DramRegion(uint32_t binding, int64_t begin, int64_t bytes) {
  return {Region::Space::kDram, binding, begin, begin + bytes};
}

struct Task {
  uint32_t handle = 0;  // debug handle of the layer
  std::vector<AnyInstr>
      config;  // of the same engine; what the engine already has is not emitted again
  AnyInstr work;
  std::vector<Region> reads;
  std::vector<Region> writes;

  Engine engine() const;
};

// The opcode of an instruction; every alternative has one.
Opcode OpcodeOf(const AnyInstr& instr);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASK_H_
