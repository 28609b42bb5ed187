// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What one instruction costs: pure functions of the instruction, the engines' configuration and the
// hardware. How instructions of different engines overlap and share DRAM and scratchpad is
// simulator/device's part. The reasoning stands in docs/timing.md.

#ifndef NPUKIT_SIMULATOR_TIMING_INSTRUCTION_COST_H_
#define NPUKIT_SIMULATOR_TIMING_INSTRUCTION_COST_H_

#include <cstdint>

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/instruction.h"

namespace acme {

struct InstructionCost {
  // Cycles the instruction holds its unit when nobody else uses DRAM or scratchpad: for DMA the
  // data phase, for m.loadw the weight port, for streams the stream port, for vector operations the
  // engine.
  int64_t cycles = 1;
  // Cycles from then until the results can be seen: array drain.
  int64_t tail_cycles = 0;
  // Of `cycles`, those that the DRAM interface is needed at full bandwidth (DMA only).
  int64_t dram_cycles = 0;
  // Scratchpad words read and written, for the banks.
  int64_t scratchpad_words = 0;
  // Lost inside `cycles` because the access pattern hits few banks.
  int64_t bank_conflict_cycles = 0;

  // Events, for counters and energy.
  int64_t macs = 0;              // multiply-accumulates of matrix and depthwise, padding included
  int64_t vector_elems = 0;      // elements through vector lanes
  int64_t dram_read_bytes = 0;   // whole bursts
  int64_t dram_write_bytes = 0;  // whole bursts
  int64_t scratchpad_bytes = 0;
  int64_t accumulator_bytes = 0;
  Dtype dtype = Dtype::kI8;  // of the arithmetic
};

// `state` is the engines' state before the instruction; addresses are resolved. Command processor
// instructions cost 1 cycle.
InstructionCost EstimateInstruction(const Instr& instr, const EngineState& state,
                                    const Hardware& hardware);

// Picojoules of one instruction's events, static energy excluded.
double EnergyOf(const InstructionCost& cost, const Hardware& hardware);

// Cycles one row of activations of this type takes in the array.
int64_t CyclesPerRow(Dtype act, Dtype weight, const Hardware& hardware);
// Parts of the array's rows, or columns, that hold weights of so many rows, or columns, each.
int64_t RowGroups(int64_t k, const Hardware& hardware);
int64_t ColumnGroups(int64_t n, const Hardware& hardware);
// Elements of a type the vector engine takes a cycle.
int64_t LanesFor(Dtype dtype, const Hardware& hardware);
// Whether a result takes its lane transcendental_cycles.
bool IsTranscendental(UnaryOp op);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TIMING_INSTRUCTION_COST_H_
