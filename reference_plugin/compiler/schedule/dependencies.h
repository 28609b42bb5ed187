// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which tasks must come before which, by what they read and write. In: what tasks touch, at addresses where no two
// buffers overlap. Out:
//
//   load a -> stream b -> drain c -> store d
//   load e ------^
//
// Of orders that follow from each other only the last step stands here.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/tasks/footprints.h"
#include "reference_plugin/compiler/tasks/lists_by_task.h"

namespace acme::compiler {

// By task.
struct Dependencies {
  ListsByTask successors;
  std::vector<uint32_t> num_predecessors;
  std::vector<bool> reads_scratchpad;
};

Dependencies FindDependencies(const Footprints& footprints);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCHEDULE_DEPENDENCIES_H_
