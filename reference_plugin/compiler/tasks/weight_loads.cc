// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/weight_loads.h"

#include <utility>

namespace acme::compiler {

void AppendApart(Task task, const TaskCost& cost, std::vector<Task>& tasks,
                 std::vector<TaskCost>& costs) {
  if (task.weights) {
    Task& load = tasks.emplace_back();
    load.handle = task.handle;
    // The stream needs no configuration of its own: the two follow each other in their engine.
    load.config = std::move(task.config);
    load.work = *task.weights;
    costs.push_back({.busy_cycles = 0, .tail_cycles = 0, .engine = cost.engine});
    task.config.clear();
    task.weights.reset();
  }
  tasks.push_back(std::move(task));
  costs.push_back(cost);
}

}  // namespace acme::compiler
