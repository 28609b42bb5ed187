// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory cut into pages, so that an access is compared only with those near it: what keeps the
// planner's time in proportion to the number of tasks.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "reference_plugin/compiler/tasks/task.h"

namespace acme::compiler {

// One `Log` a page that something touches. DRAM that no task writes has none: reads do not
// conflict.
template <class Log>
class MemoryPages {
 public:
  explicit MemoryPages(std::span<const Task> tasks) {
    for (const Task& task : tasks) {
      for (const MemoryRange& range : task.writes) {
        if (range.space == MemoryRange::Space::kDram) written_.insert(range.binding);
      }
    }
  }

  // Visits the logs of the range's pages, each with the bytes [from, to) of its page; creates those
  // that are missing.
  template <class Visit>
  void ForEach(const MemoryRange& range, Visit&& visit) {
    if (range.begin >= range.end) return;
    if (range.space == MemoryRange::Space::kDram && !written_.contains(range.binding)) return;
    const int shift = PageShift(range.space);
    const int64_t last = (range.end - 1) >> shift;
    for (int64_t page = range.begin >> shift; page <= last; ++page)
      visit(LogOf(range, static_cast<size_t>(page)), page << shift, (page + 1) << shift);
  }

 private:
  // A page is about as large as one task's access.
  static int PageShift(MemoryRange::Space space) {
    switch (space) {
      case MemoryRange::Space::kScratchpad:
        return 14;
      case MemoryRange::Space::kAccumulators:
        return 8;
      case MemoryRange::Space::kDram:
        break;
    }
    return 18;
  }

  // Bindings have 8 bits and offsets 32, so that pages of bindings do not meet in the key.
  Log& LogOf(const MemoryRange& range, size_t page) {
    if (range.space == MemoryRange::Space::kDram)
      return dram_[uint64_t{range.binding} << 36 | static_cast<uint64_t>(page)];
    std::vector<Log>& logs = on_chip_[static_cast<size_t>(range.space)];
    if (page >= logs.size()) logs.resize(std::max(page + 1, logs.size() * 2));
    return logs[page];
  }

  std::set<uint32_t> written_;  // DRAM bindings
  // By space and page; what lies on the chip begins at address 0 and is used all over.
  std::array<std::vector<Log>, 2> on_chip_;
  std::unordered_map<uint64_t, Log> dram_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_
