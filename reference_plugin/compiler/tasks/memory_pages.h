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
      for (const Region& region : task.writes) {
        if (region.space == Region::Space::kDram) written_.insert(region.binding);
      }
    }
  }

  // Visits the logs of the region's pages, each with the bytes [from, to) of its page; creates those
  // that are missing.
  template <class Visit>
  void ForEach(const Region& region, Visit&& visit) {
    if (region.begin >= region.end) return;
    if (region.space == Region::Space::kDram && !written_.contains(region.binding)) return;
    const int shift = PageShift(region.space);
    const int64_t last = (region.end - 1) >> shift;
    for (int64_t page = region.begin >> shift; page <= last; ++page)
      visit(LogOf(region, static_cast<size_t>(page)), page << shift, (page + 1) << shift);
  }

 private:
  // A page is about as large as one task's access.
  static int PageShift(Region::Space space) {
    switch (space) {
      case Region::Space::kScratchpad:
        return 14;
      case Region::Space::kAccumulators:
        return 8;
      case Region::Space::kDram:
        break;
    }
    return 18;
  }

  Log& LogOf(const Region& region, size_t page) {
    if (region.space == Region::Space::kDram)
      return dram_[uint64_t{region.binding} << 36 | static_cast<uint64_t>(page)];
    std::vector<Log>& logs = on_chip_[static_cast<size_t>(region.space)];
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
