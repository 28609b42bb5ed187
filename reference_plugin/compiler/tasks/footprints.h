// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What tasks read and write: known of all tasks at once, for the stage that asks, and then no more.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_FOOTPRINTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_FOOTPRINTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "reference_plugin/compiler/tasks/memory_range.h"
#include "reference_plugin/compiler/tasks/task.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Of one task. As long as the Footprints stay as they are.
struct Footprint {
  std::span<const MemoryRange> reads;
  std::span<const MemoryRange> writes;
};

// By task. All ranges stand in one piece of memory: programs have millions of them.
class Footprints {
 public:
  size_t size() const { return begins_.size(); }
  Footprint operator[](size_t task) const {
    const std::span<const MemoryRange> ranges = ranges_;
    const Begins& begins = begins_[task];
    const size_t end = task + 1 < begins_.size() ? begins_[task + 1].reads : ranges_.size();
    return {ranges.subspan(begins.reads, begins.writes - begins.reads),
            ranges.subspan(begins.writes, end - begins.writes)};
  }

  void Reserve(size_t tasks);
  // Of the next task.
  void Add(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);

 private:
  struct Begins {
    size_t reads = 0;
    size_t writes = 0;
  };

  std::vector<MemoryRange> ranges_;  // of each task its reads, then its writes
  std::vector<Begins> begins_;
};

// Of tasks that run in this order. Found in their instructions, so that the compiler and the simulator
// have one opinion. Accumulators are counted in bytes.
Footprints FindFootprints(std::span<const Task> tasks, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_FOOTPRINTS_H_
