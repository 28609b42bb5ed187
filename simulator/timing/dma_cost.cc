// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/dma_cost.h"

#include <algorithm>
#include <type_traits>

#include "simulator/timing/access_words.h"

namespace acme {
namespace {

// Both sides of a transfer, from its footprint.
template <class I>
InstructionCost Transfer(const I& op, const EngineState& state, const Hardware& hardware) {
  InstructionCost cost;
  cost.cycles = 0;
  // A DMA engine writes or reads as many scratchpad bytes a cycle as DRAM gives, at least one word;
  // of two elements a byte, as many as it makes of them.
  int64_t port_bytes = hardware.dram_bytes_per_cycle;
  if constexpr (std::is_same_v<I, isa::LdNd>) port_bytes *= op.unpack ? 2 : 1;
  const int64_t port_words =
      std::max<int64_t>(1, CeilDiv(port_bytes, hardware.scratchpad_word_bytes));
  int64_t port_cycles = 0;  // indices and elements go through one port
  ForEachAccess(Instr{{}, op}, state, hardware.array_cols, [&](const Access& access) {
    if (access.space == Space::kDram) {
      // A transfer has one access to DRAM. Which slices indices choose is data, which time does not
      // know: all count as the first one.
      const int64_t bytes = CountBursts(access.FirstSlice(), hardware) * access.SlicesTimed() *
                            hardware.dram_burst_bytes;
      (access.write ? cost.dram_write_bytes : cost.dram_read_bytes) += bytes;
      cost.dram_cycles = CeilDiv(bytes, hardware.dram_bytes_per_cycle);
      cost.cycles = std::max(cost.cycles, cost.dram_cycles);
    } else {
      const WordCount words = CountWords(access, hardware);
      const PortCycles port = CyclesThroughPort(words, port_words);
      cost.scratchpad_words += words.words;
      cost.scratchpad_bytes += access.TotalBytes();
      cost.bank_conflict_cycles += port.conflict_cycles;
      port_cycles += port.cycles;
      cost.cycles = std::max(cost.cycles, port_cycles);
    }
  });
  return cost;
}

}  // namespace

InstructionCost EstimateDma(const isa::LdCopy& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}
InstructionCost EstimateDma(const isa::LdNd& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}
InstructionCost EstimateDma(const isa::StCopy& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}
InstructionCost EstimateDma(const isa::StNd& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}
InstructionCost EstimateDma(const isa::LdGather& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}
InstructionCost EstimateDma(const isa::StScatter& instr, const EngineState& state,
                            const Hardware& hardware) {
  return Transfer(instr, state, hardware);
}

}  // namespace acme
