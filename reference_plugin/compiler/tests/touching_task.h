// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tasks that touch what a test says, whatever their instructions say.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TOUCHING_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TOUCHING_TASK_H_

#include <utility>
#include <vector>

#include "reference_plugin/compiler/tasks/footprints.h"
#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

struct TouchingTask {
  Task task;
  std::vector<MemoryRange> reads;
  std::vector<MemoryRange> writes;
};

inline TouchingTask Touching(const AnyInstr& work, std::vector<MemoryRange> reads,
                             std::vector<MemoryRange> writes) {
  return {{.work = work}, std::move(reads), std::move(writes)};
}

inline std::vector<Task> TasksOf(const std::vector<TouchingTask>& touching) {
  std::vector<Task> tasks;
  for (const TouchingTask& one : touching) tasks.push_back(one.task);
  return tasks;
}

inline Footprints FootprintsOf(const std::vector<TouchingTask>& touching) {
  Footprints footprints;
  for (const TouchingTask& one : touching) footprints.Add(one.reads, one.writes);
  return footprints;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TESTS_TOUCHING_TASK_H_
