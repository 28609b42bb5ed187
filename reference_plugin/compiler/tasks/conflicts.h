// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which tasks must not run at once. Engines run their own tasks in order, so of the tasks of
// another engine that a task conflicts with only the last one counts: a read after a write, a write
// after a read, a write after a write of overlapping ranges. Buffers that were given the same
// memory one after the other conflict like any others, so its reuse needs no care of its own.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_CONFLICTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_CONFLICTS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/tasks/footprints.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// For every engine, a position among its tasks, counted from 1; 0: none of them.
using EnginePositions = std::array<uint32_t, kEngineCount>;

// In: tasks in the order in which they are issued, and what they touch. Out: for each, the last task
// of every other engine that it conflicts with. Left out are conflicts that others imply: whoever
// waits for the tasks named here, which wait for theirs, has waited for all.
std::vector<EnginePositions> FindConflicts(std::span<const Task> tasks,
                                           const Footprints& footprints);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_CONFLICTS_H_
