// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A list of numbers for each task, one behind the other: orders of tasks are tried again and again,
// and lists of their own would be found all over the memory.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_LISTS_BY_TASK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_LISTS_BY_TASK_H_

#include <cstdint>
#include <span>
#include <vector>

namespace acme::compiler {

struct ListsByTask {
  std::vector<uint32_t> first = {0};  // of each task, in `all`; and their number at last
  std::vector<uint32_t> all;

  std::span<const uint32_t> Of(uint32_t task) const {
    return std::span(all).subspan(first[task], first[task + 1] - first[task]);
  }
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_LISTS_BY_TASK_H_
