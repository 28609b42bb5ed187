// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Scheduling. In: tasks with what they touch and cost. Out: the order in which they are issued, and
// which loads may run ahead of it. Lowering's order is right but leaves engines idle; here each
// engine takes, among the next tasks, the one that can begin first. Engines run in order and the
// command processor dispatches in order, so the order by begin is the program's.
//
// A wide window fills more idle cycles but keeps more buffers alive at a time, so whether the result
// fits the scratchpad is left to the next stage; the window is part of an effort (search/effort.h).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_SCHEDULE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_SCHEDULE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/schedule/dependencies.h"
#include "reference_plugin/compiler/tasks/conflicts.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "reference_plugin/compiler/tasks/task_cost.h"

namespace acme::compiler {

struct Schedule {
  // Tasks by index, in their new order, without those in `prefetches`.
  std::vector<uint32_t> order;
  std::vector<int64_t> begin_cycle;  // of order's tasks, as estimated
  // Loads that depend on no other task, in the order of their use: where they are issued depends on
  // when there is room for what they bring (scratchpad_plan.h).
  std::vector<uint32_t> prefetches;
  // By prefetch, the position in `order` of the first task that needs it; order's size if none
  // does.
  std::vector<uint32_t> first_use;
  bool operator==(const Schedule&) const = default;
};

// Costs by task, and the tasks' dependencies. A task is taken before others at most `window` tasks earlier; a window
// of 1 keeps the order.
Schedule PlanSchedule(std::span<const TaskCost> costs, const Dependencies& dependencies,
                      size_t window);

// When the last task ends if they are issued in this order, and nothing but the order, their costs
// and their conflicts (FindConflicts, at real addresses) holds them up. What a load brings can be
// used `load_latency_cycles` later than its engine is free for the next.
int64_t EstimateCycles(std::span<const TaskCost> costs, std::span<const EnginePositions> conflicts,
                       int64_t load_latency_cycles);

// No order of these tasks takes fewer: the cycles of the engine that has most to do.
int64_t BusyCycles(std::span<const TaskCost> costs);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_SCHEDULE_H_
