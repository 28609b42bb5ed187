// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Semaphores. In: tasks in their final order, at real addresses, and which conflict. Out: which task
// waits for which.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_HAZARDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_HAZARDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/tasks/conflicts.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// Semaphores that a task waits for before it starts and posts when it has ended. There is one
// semaphore for each ordered pair of engines; since both engines work in order, its n-th post
// belongs to its n-th wait.
struct TaskSync {
  std::vector<uint8_t> waits;
  std::vector<uint8_t> posts;
  bool operator==(const TaskSync&) const = default;
};

// Semaphore posted by `from` and waited for by `to`; 1 .. 16.
constexpr uint8_t PairSemaphore(Engine from, Engine to) {
  return static_cast<uint8_t>(1 + (static_cast<int>(from) - 1) * (kEngineCount - 1) +
                              static_cast<int>(to) - 1);
}

// One entry a task; `conflicts` are those of FindConflicts. Waits that others imply are left out. At
// most three waits and three posts a task.
std::vector<TaskSync> PlanSync(std::span<const Task> tasks,
                               std::span<const EnginePositions> conflicts);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_EMIT_HAZARDS_H_
