// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/effort.h"

#include <utility>

#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"
#include "reference_plugin/compiler/rewrite/strips.h"
#include "reference_plugin/compiler/schedule/schedule.h"
#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"
#include "reference_plugin/compiler/tasks/footprints.h"
#include "reference_plugin/compiler/tasks/task_cost.h"
#include "reference_plugin/compiler/tasks/weight_loads.h"
#include "simulator/timing/instruction_cost.h"

namespace acme::compiler {
namespace {

// What is fetched of a program for each task, by measurement: it comes from the DRAM, and the command
// processor is as busy with it.
constexpr int64_t kTaskBytes = 24;

// Tasks moved over a window, and the scratchpad that they have then.
struct Fit {
  size_t window = 0;
  Schedule schedule;
  ScratchpadPlan plan;
};

std::optional<Fit> FitTasks(const LoweredEffort& effort, size_t window, const Hardware& hardware) {
  Schedule schedule = PlanSchedule(effort.costs, effort.dependencies, window);
  std::optional<ScratchpadPlan> plan =
      PlanScratchpad(effort.uses, effort.costs, schedule, effort.lowered.buffers, hardware);
  if (!plan) return std::nullopt;
  return Fit{window, std::move(schedule), std::move(*plan)};
}

// Tasks that are moved less keep fewer buffers alive at a time.
std::optional<Fit> WidestFit(const LoweredEffort& effort, size_t window, size_t likely_window,
                             const Hardware& hardware) {
  std::vector<size_t> windows;
  for (; window > 0; window /= 2) windows.push_back(window);
  size_t at = 0;
  while (likely_window != 0 && windows[at] > likely_window && at + 1 < windows.size()) ++at;
  std::optional<Fit> widest = FitTasks(effort, windows[at], hardware);
  while (widest && at > 0) {
    std::optional<Fit> wider = FitTasks(effort, windows[--at], hardware);
    if (!wider) return widest;
    widest = std::move(wider);
  }
  while (!widest && ++at < windows.size()) widest = FitTasks(effort, windows[at], hardware);
  return widest;
}

}  // namespace

Expected<std::optional<LoweredEffort>> LowerEffort(const Network& whole, const Effort& effort,
                                                   std::span<const StripRegion> regions,
                                                   const Hardware& hardware,
                                                   ConstantPool& constants,
                                                   const CompileOptions& options,
                                                   int64_t limit_cycles) {
  const Strips strips = SplitIntoStrips(
      whole, regions, effort.results_beside ? LargeValueBytes(hardware) : INT64_MAX);
  const Network& network = strips.network;
  const Placement placement = PlanPlacement(
      network, {hardware.scratchpad_bytes * effort.resident_percent / 100,
                hardware.scratchpad_bytes * effort.step_percent / 100, effort.strips_first});
  LoweredEffort result;
  ACME_ASSIGN_OR_RETURN(result.lowered, LowerNetwork(network, placement, hardware, constants));
  std::vector<Task>& tasks = result.lowered.tasks;
  EngineState state;
  result.costs.reserve(tasks.size());
  for (const Task& task : tasks) result.costs.push_back(EstimateTask(task, state, hardware));
  // Both are known before the expensive stages.
  if (BusyCycles(result.costs) >= limit_cycles) return std::optional<LoweredEffort>();
  const Footprints footprints = FindFootprints(tasks, hardware);
  result.uses = FindBufferUses(tasks, footprints, result.lowered.buffers);
  if (PeakBytes(result.uses, result.lowered.buffers) > hardware.scratchpad_bytes)
    return std::optional<LoweredEffort>();
  result.dependencies = FindDependencies(footprints);
  result.workspace_bytes = placement.workspace_bytes;
  result.has_strips_in_dram = placement.has_strips_in_dram;
  result.has_results_beside = strips.has_results_beside;
  if (options.dump) {
    result.dump = {{"strips", network.ToString()},
                   {"placement", placement.ToString()},
                   {"tasks", PrintTasks(tasks, footprints)}};
  }
  return std::optional<LoweredEffort>(std::move(result));
}

std::optional<PlannedTasks> PlanTasks(const LoweredEffort& effort, size_t window,
                                      const Hardware& hardware, size_t likely_window) {
  const LoweredNetwork& lowered = effort.lowered;
  std::optional<Fit> fit = WidestFit(effort, window, likely_window, hardware);
  if (!fit) return std::nullopt;
  PlannedTasks planned;
  planned.window = fit->window;
  planned.workspace_bytes = effort.workspace_bytes;
  planned.has_strips_in_dram = effort.has_strips_in_dram;
  planned.has_results_beside = effort.has_results_beside;
  if (!effort.dump.empty()) {
    planned.dump = effort.dump;
    planned.dump.push_back({"schedule", PrintSchedule(fit->schedule)});
    planned.dump.push_back({"scratchpad", fit->plan.ToString(lowered.buffers)});
  }
  planned.tasks.reserve(2 * lowered.tasks.size());
  std::vector<TaskCost> costs_in_order;
  for (uint32_t index : fit->plan.order) {
    Task task = lowered.tasks[index];
    Relocate(task, lowered.buffers, fit->plan.offsets);
    AppendApart(std::move(task), effort.costs[index], planned.tasks, costs_in_order);
  }
  planned.order = std::move(fit->plan.order);
  // Anew, at real addresses: buffers that have the same memory one after the other conflict now.
  planned.conflicts = FindConflicts(planned.tasks, FindFootprints(planned.tasks, hardware));
  planned.estimated_cycles =
      EstimateCycles(costs_in_order, planned.conflicts,
                     hardware.dram_latency_cycles + hardware.dma_setup_cycles) +
      static_cast<int64_t>(planned.tasks.size()) * kTaskBytes / hardware.dram_bytes_per_cycle;
  return planned;
}

}  // namespace acme::compiler
