// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How long a task takes, from its instructions alone: the same costs that the simulator knows.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_COST_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_COST_H_

#include <cstdint>
#include <span>

#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"

namespace acme::compiler {

// Configures the engine as the task asks, up to its work.
void Configure(const Task& task, EngineState& state);

struct TaskCost {
  int64_t busy_cycles = 1;  // the engine is taken
  int64_t tail_cycles = 0;  // then, until the results can be seen
  Engine engine = Engine::kCommand;
  int64_t dram_cycles = 0;  // of busy_cycles, those that the DRAM is taken
};
TaskCost EstimateTask(const Task& task, EngineState& state, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_TASK_COST_H_
