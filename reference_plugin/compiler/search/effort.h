// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One try to plan a network's program: with so much of the scratchpad for one thing and for another.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_EFFORT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_EFFORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference_plugin/compiler/emit/hazards.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/placement/constant_pool.h"
#include "reference_plugin/compiler/rewrite/regions.h"
#include "reference_plugin/compiler/schedule/dependencies.h"
#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"
#include "reference_plugin/compiler/search/compile_options.h"
#include "reference_plugin/compiler/search/stage_dump.h"
#include "reference_plugin/compiler/tasks/conflicts.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"
#include "simulator/isa/instruction.h"

namespace acme::compiler {

// How boldly the scratchpad is used and tasks are moved. Whether an effort fits is known only when
// its buffers have real addresses: values that stay, tiles in flight and reordered tasks all take of
// the same memory. So efforts are tried from the boldest on, and the first that fits is taken. The
// last keeps nothing in the scratchpad, moves no task, and gives each step what legalising asked for
// (GuaranteedStepBytes), so that it always fits.
struct Effort {
  int level;  // the lowest optimisation level that tries it
  int64_t resident_percent;
  int64_t step_percent;
  int64_t strip_percent;  // of the scratchpad, while layers are computed in strips
  size_t window;          // over which tasks are moved, or less far if that does not fit
  bool strips_first = false;
  bool results_beside = true;  // large results are written beside rows that are held (strips.h)
};
inline constexpr Effort kEfforts[] = {
    {2, 65, 25, 60, 128}, {2, 60, 20, 45, 64}, {2, 55, 16, 30, 32},
    {1, 50, 16, 20, 16},  {1, 25, 16, 10, 4},  {0, 0, 16, 0, 1},
};

// The tasks of a network as an effort makes them, with symbolic addresses and in the order of lowering.
struct LoweredEffort {
  LoweredNetwork lowered;
  std::vector<TaskCost> costs;
  BufferUses uses;
  Dependencies dependencies;
  bool has_strips_in_dram = false;
  bool has_results_beside = false;
  int64_t workspace_bytes = 0;
  std::vector<StageDump> dump;  // of the stages from strips on, if asked for
};

// What is planned of one network: tasks in their order, at real addresses.
struct PlannedTasks {
  std::vector<Task> tasks;
  std::vector<EnginePositions> conflicts;
  std::vector<uint32_t> order;  // of the lowered tasks
  size_t window = 0;            // over which they were moved
  bool has_strips_in_dram = false;
  bool has_results_beside = false;
  int64_t workspace_bytes = 0;
  int64_t estimated_cycles = 0;
  ProgramForm form;             // which one was taken
  std::vector<TaskSync> syncs;  // and code: empty until Emit (measure.h)
  std::vector<Word> code;
  std::vector<StageDump> dump;

  size_t lowered_tasks() const { return order.size(); }
};

// `whole` with `regions` in strips. Nothing if it can't fit the scratchpad, or if no order of its
// tasks takes fewer cycles than `limit_cycles`.
Expected<std::optional<LoweredEffort>> LowerEffort(const Network& whole, const Effort& effort,
                                                   std::span<const StripRegion> regions,
                                                   const Hardware& hardware,
                                                   ConstantPool& constants,
                                                   const CompileOptions& options,
                                                   int64_t limit_cycles = INT64_MAX);

// Moves tasks over `window`, or the largest half, quarter ... of it that fits the scratchpad; nothing if none does.
// Looks at `likely_window` first, if it is not 0: what fitted another program of the network.
std::optional<PlannedTasks> PlanTasks(const LoweredEffort& effort, size_t window,
                                      const Hardware& hardware, size_t likely_window = 0);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_EFFORT_H_
