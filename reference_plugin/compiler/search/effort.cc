// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/effort.h"

#include <utility>

#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/rewrite/strips.h"
#include "reference_plugin/compiler/schedule/schedule.h"
#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"
#include "reference_plugin/compiler/tasks/footprint.h"
#include "reference_plugin/compiler/tasks/weight_loads.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

constexpr size_t kWindowStep = 6;
// What is fetched of a program for each task, by measurement: it comes from the DRAM, and the command
// processor is as busy with it.
constexpr int64_t kTaskBytes = 24;

}  // namespace

Expected<std::optional<PlannedTasks>> TryEffort(const Network& whole, const Effort& effort,
                                                std::span<const StripRegion> regions,
                                                const Hardware& hardware, ConstantPool& constants,
                                                const CompileOptions& options,
                                                int64_t limit_cycles) {
  const Network network = SplitIntoStrips(whole, regions);
  const Placement placement = PlanPlacement(
      network, {hardware.scratchpad_bytes * effort.resident_percent / 100,
                hardware.scratchpad_bytes * effort.step_percent / 100, effort.strips_first});
  ACME_ASSIGN_OR_RETURN(LoweredNetwork lowered,
                        LowerNetwork(network, placement, hardware, constants));
  EngineState state;
  std::vector<TaskCost> costs;
  costs.reserve(lowered.tasks.size());
  for (Task& task : lowered.tasks) {
    SetFootprint(task, state, hardware);
    costs.push_back(EstimateTask(task, state, hardware));
  }
  // Both are known before the expensive stages.
  if (BusyCycles(lowered.tasks, costs) >= limit_cycles ||
      PeakBytes(lowered.tasks, lowered.buffers) > hardware.scratchpad_bytes)
    return std::optional<PlannedTasks>();
  const Dependencies dependencies = FindDependencies(lowered.tasks);
  Schedule schedule;
  std::optional<ScratchpadPlan> plan;
  // Tasks that are moved less keep fewer buffers alive at a time.
  for (size_t window = effort.window; !plan && window > 0; window /= kWindowStep) {
    schedule = PlanSchedule(lowered.tasks, costs, dependencies, window);
    plan = PlanScratchpad(lowered.tasks, costs, schedule, lowered.buffers, hardware);
  }
  if (!plan) return std::optional<PlannedTasks>();
  PlannedTasks planned;
  planned.workspace_bytes = placement.workspace_bytes;
  planned.has_strips_in_dram = placement.has_strips_in_dram;
  if (options.dump) {
    planned.dump = {{"strips", network.ToString()},
                    {"placement", placement.ToString()},
                    {"tasks", PrintTasks(lowered.tasks)},
                    {"schedule", PrintSchedule(schedule)},
                    {"scratchpad", plan->ToString(lowered.buffers)}};
  }
  planned.lowered_tasks = lowered.tasks.size();
  planned.tasks.reserve(2 * lowered.tasks.size());
  std::vector<TaskCost> costs_in_order;
  for (uint32_t index : plan->order) {
    Task& task = lowered.tasks[index];
    Relocate(task, lowered.buffers, plan->offsets);
    AppendApart(std::move(task), costs[index], planned.tasks, costs_in_order);
  }
  // Anew, at real addresses: buffers that have the same memory one after the other conflict now.
  for (Task& task : planned.tasks) SetFootprint(task, state, hardware);
  planned.conflicts = FindConflicts(planned.tasks);
  planned.estimated_cycles =
      EstimateCycles(planned.tasks, costs_in_order, planned.conflicts,
                     hardware.dram_latency_cycles + hardware.dma_setup_cycles) +
      static_cast<int64_t>(planned.tasks.size()) * kTaskBytes / hardware.dram_bytes_per_cycle;
  return std::optional<PlannedTasks>(std::move(planned));
}

}  // namespace acme::compiler
