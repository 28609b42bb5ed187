// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads of weights as tasks of their own. In: a task, maybe a stream that takes weights. Out: the
// load of its weights, then the stream. Until here the two are one task, since nothing may come
// between them; but they wait for different things:
//
//   one task    ld weights, v image -> m.loadw, m.conv
//   two tasks   ld weights -> m.loadw    v image -> m.conv
//
// so that the weights are in the array when the image is there.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_WEIGHT_LOADS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_WEIGHT_LOADS_H_

#include <vector>

#include "reference_plugin/compiler/tasks/task.h"
#include "reference_plugin/compiler/tasks/task_cost.h"

namespace acme::compiler {

// Appends the task and its cost: of a stream with weights its load first, which takes the
// configuration along and costs nothing, since a stream's cost counts its load. Ranges are not set.
void AppendApart(Task task, const TaskCost& cost, std::vector<Task>& tasks,
                 std::vector<TaskCost>& costs);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_WEIGHT_LOADS_H_
