// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The scratchpad's plan. In: tasks in the order of their schedule, and the buffers that they name.
// Out: real addresses for buffers, and the places in the program of loads that run ahead; nothing if
// the buffers that live at a time do not fit. A buffer lives from the first task that touches it to
// the last; one that is filled by prefetches begins to live as early as there is room, so that the
// DRAM is never idle while something can be loaded. Buffers that the program's work fills have their
// times from the schedule, so they are placed first, and prefetches take what is left.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_SCRATCHPAD_PLAN_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_SCRATCHPAD_PLAN_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference_plugin/compiler/placement/placement.h"
#include "reference_plugin/compiler/schedule/schedule.h"
#include "reference_plugin/compiler/tasks/lists_by_task.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

struct ScratchpadPlan {
  std::vector<int64_t> offsets;  // real, by buffer
  std::vector<uint32_t> order;   // of all tasks
  bool operator==(const ScratchpadPlan&) const = default;

  std::string ToString(std::span<const ScratchpadBuffer> buffers) const;
};

// What a plan asks of tasks, by task.
struct BufferUses {
  std::vector<uint32_t> num_instructions;
  ListsByTask buffers;  // that a task reads, then those that it writes

  size_t num_tasks() const { return num_instructions.size(); }
};
BufferUses FindBufferUses(std::span<const Task> tasks, const Footprints& footprints,
                          std::span<const ScratchpadBuffer> buffers);

// Empty if the buffers do not fit. Offsets are multiples of 64 bytes.
std::optional<ScratchpadPlan> PlanScratchpad(const BufferUses& uses,
                                             std::span<const TaskCost> costs,
                                             const Schedule& schedule,
                                             std::span<const ScratchpadBuffer> buffers,
                                             const Hardware& hardware);

// Bytes of the buffers that live at a time, at most, if the tasks ran in the order in which they
// stand: more than there are will not fit in any other order either, which is worth knowing before
// one is looked for.
int64_t PeakBytes(const BufferUses& uses, std::span<const ScratchpadBuffer> buffers);

// Puts real addresses where the task's instructions have symbolic ones. Its ranges are to be found
// anew.
void Relocate(Task& task, std::span<const ScratchpadBuffer> buffers,
              std::span<const int64_t> offsets);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_SCRATCHPAD_PLAN_H_
