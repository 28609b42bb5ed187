// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/task_cost.h"

#include <algorithm>

#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
void Configure(const Task& task, EngineState& state) {
  for (const AnyInstr& config : task.config) ApplyToState(Instr{{}, config}, state);
}

TaskCost EstimateTask(const Task& task, EngineState& state, const Hardware& hardware) {
  Configure(task, state);
  TaskCost cost;
  int64_t weights_cycles = 0;
  if (task.weights) {
    const Instr load{{}, *task.weights};
    weights_cycles = EstimateInstruction(load, state, hardware).cycles;
    ApplyToState(load, state);
  }
  const InstructionCost work = EstimateInstruction(Instr{{}, task.work}, state, hardware);
  ApplyToState(Instr{{}, task.work}, state);
  // Streams are max(rows, 1 + load) apart, as docs/timing.md has it for two planes of weights: the
  // next load begins a cycle after the stream that took the last plane.
  cost.busy_cycles = std::max(weights_cycles + 1, work.cycles);
  cost.tail_cycles = work.tail_cycles;
  cost.dram_cycles = work.dram_cycles;
  cost.engine = task.engine();
  return cost;
}

}  // namespace acme::compiler
