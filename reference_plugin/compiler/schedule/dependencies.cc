// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/dependencies.h"

#include <utility>

#include "reference_plugin/compiler/tasks/memory_pages.h"

namespace acme::compiler {
namespace {

// Uses of one part of a memory that later tasks may depend on.
struct Use {
  const MemoryRange* range = nullptr;  // the task's
  uint32_t task = 0;
};
struct PartUses {
  std::vector<Use> reads;
  std::vector<Use> writes;
};

// Finds for each task the tasks that must come before it.
class DependencyFinder {
 public:
  explicit DependencyFinder(std::span<const Task> tasks)
      : found_{.successors = std::vector<std::vector<uint32_t>>(tasks.size()),
               .num_predecessors = std::vector<uint32_t>(tasks.size())},
        pages_(tasks) {
    for (uint32_t i = 0; i < tasks.size(); ++i) {
      for (const MemoryRange& range : tasks[i].reads) Read(range, i);
      for (const MemoryRange& range : tasks[i].writes) Write(range, i);
    }
  }

  Dependencies Take() { return std::move(found_); }

 private:
  // All edges to a task are found while it is visited, so that a repeated one is the last of its
  // list.
  void AddEdge(uint32_t from, uint32_t to) {
    if (from == to) return;
    std::vector<uint32_t>& next = found_.successors[from];
    if (!next.empty() && next.back() == to) return;
    next.push_back(to);
    ++found_.num_predecessors[to];
  }

  void Read(const MemoryRange& range, uint32_t task) {
    pages_.ForEach(range, [&](PartUses& log, int64_t, int64_t) {
      for (const Use& write : log.writes) {
        if (write.range->Overlaps(range)) AddEdge(write.task, task);
      }
      log.reads.push_back({&range, task});
    });
  }

  void Write(const MemoryRange& range, uint32_t task) {
    pages_.ForEach(range, [&](PartUses& log, int64_t from, int64_t to) {
      const auto depend = [&](std::vector<Use>& accesses) {
        std::erase_if(accesses, [&](const Use& old) {
          if (!old.range->Overlaps(range)) return false;
          AddEdge(old.task, task);
          // What depends on the old access on this page depends on the new one, too.
          return range.ContainsWithin(*old.range, from, to);
        });
      };
      depend(log.reads);
      depend(log.writes);
      log.writes.push_back({&range, task});
    });
  }

  Dependencies found_;
  MemoryPages<PartUses> pages_;
};

}  // namespace

Dependencies FindDependencies(std::span<const Task> tasks) {
  return DependencyFinder(tasks).Take();
}

}  // namespace acme::compiler
