// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the costs of the vector engine's operations are made of.

#ifndef NPUKIT_SIMULATOR_TIMING_VECTOR_PARTS_H_
#define NPUKIT_SIMULATOR_TIMING_VECTOR_PARTS_H_

#include <algorithm>
#include <cstdint>

#include "simulator/timing/access_words.h"
#include "simulator/timing/instruction_cost.h"

namespace acme {

// Of no access, so no limit by its banks: far above the 256 that a chip may have.
inline constexpr WordCount kNoWords{0, 1 << 20};

// Sums up an operation: lanes' cycles are given, the ports' follow from its footprint.
struct PortTotals {
  WordCount reads = kNoWords;
  WordCount writes = kNoWords;
};

template <class I>
PortTotals Ports(const I& op, const EngineState& state, const Hardware& hw, InstructionCost& cost) {
  PortTotals totals;
  ForEachAccess(Instr{{}, op}, state, hw.array_cols, [&](const Access& access) {
    if (access.space == Space::kAccumulators) {
      cost.accumulator_bytes += access.TotalBytes();
      return;
    }
    const WordCount count = CountWords(access, hw);
    WordCount& total = access.write ? totals.writes : totals.reads;
    total.words += count.words;
    total.parallel_words = std::min(total.parallel_words, count.parallel_words);
    cost.scratchpad_bytes += access.TotalBytes();
  });
  return totals;
}

// cycles = startup + max(lane cycles, read port, write port).
void Finish(int64_t lane_cycles, const PortTotals& ports, const Hardware& hw,
            InstructionCost& cost);

// Cycles of the tree that combines the lanes, which takes what they give a cycle, for so many rows of
// results. It has a result at every level, so that short rows go together, each on the next power of two
// of lanes.
int64_t TreeCycles(int64_t rows, int64_t length, int64_t lanes);

// With a reduction over `dims`: lanes are combined by the tree once a result, while the next one's
// elements come.
int64_t ReducedCycles(int64_t lane_cycles, uint32_t dims, const Extents& shape, int64_t lanes);

// The same of what v.epilogue makes of the operation's results, if it has one.
template <class I>
int64_t CyclesWithEpilogue(const I& op, int64_t lane_cycles, const VectorState& state,
                           int64_t lanes) {
  if (!HasEpilogue(op, state)) return lane_cycles;
  return ReducedCycles(lane_cycles, state.epilogue.dims, state.shape, lanes);
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_VECTOR_PARTS_H_
