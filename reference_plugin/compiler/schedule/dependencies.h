// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which tasks must come before which, by what they read and write. In: tasks with their ranges, at addresses where no two
// buffers overlap. Out:
//
//   load a -> stream b -> drain c -> store d
//   load e ------^
//
// Of orders that follow from each other only the last step stands here.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// By task. Lists of successors lie one behind the other: a schedule walks them again and again.
struct Dependencies {
  std::vector<uint32_t> first_successor;  // of each task, in `successors`; and their number at last
  std::vector<uint32_t> successors;
  std::vector<uint32_t> num_predecessors;
  std::vector<Engine> engines;
  std::vector<bool> reads_scratchpad;

  std::span<const uint32_t> SuccessorsOf(uint32_t task) const {
    return std::span(successors)
        .subspan(first_successor[task], first_successor[task + 1] - first_successor[task]);
  }
};

Dependencies FindDependencies(std::span<const Task> tasks);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_
