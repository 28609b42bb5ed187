// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory cut into pages, so that an access is compared only with those near it: what keeps the
// planner's time in proportion to the number of tasks.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reference_plugin/compiler/tasks/footprints.h"

namespace acme::compiler {

// One `Log` a page that something touches. DRAM that no task writes has none: reads do not
// conflict.
template <class Log>
class MemoryPages {
 public:
  explicit MemoryPages(const Footprints& footprints) {
    std::vector<Traffic> dram;
    std::array<Traffic, 2> on_chip;
    const auto count = [&](const MemoryRange& range, bool writes) {
      const bool is_dram = range.space == MemoryRange::Space::kDram;
      if (is_dram && range.binding >= dram.size()) dram.resize(range.binding + 1);
      (is_dram ? dram[range.binding] : on_chip[static_cast<size_t>(range.space)])
          .Count(range, writes);
    };
    for (size_t task = 0; task < footprints.size(); ++task) {
      for (const MemoryRange& range : footprints[task].reads) count(range, false);
      for (const MemoryRange& range : footprints[task].writes) count(range, true);
    }
    for (const Traffic& traffic : dram)
      dram_shifts_.push_back(traffic.written ? traffic.PageShift() : kNotWritten);
    for (size_t i = 0; i < on_chip.size(); ++i) on_chip_shifts_[i] = on_chip[i].PageShift();
  }

  // Visits the logs of the range's pages, each with the bytes [from, to) of its page; creates those
  // that are missing.
  template <class Visit>
  void ForEach(const MemoryRange& range, Visit&& visit) {
    if (range.begin >= range.end) return;
    const int shift = range.space == MemoryRange::Space::kDram
                          ? dram_shifts_[range.binding]
                          : on_chip_shifts_[static_cast<size_t>(range.space)];
    if (shift == kNotWritten) return;
    const int64_t last = (range.end - 1) >> shift;
    for (int64_t page = range.begin >> shift; page <= last; ++page)
      visit(LogOf(range, static_cast<size_t>(page)), page << shift, (page + 1) << shift);
  }

 private:
  static constexpr int kNotWritten = -1;

  // What touches one memory.
  struct Traffic {
    int64_t accesses = 0;
    int64_t bytes = 0;  // of them all; rows, in the accumulators
    bool written = false;

    void Count(const MemoryRange& range, bool writes) {
      ++accesses;
      written = written || writes;
      bytes += std::max<int64_t>(range.end - range.begin, 0);
    }

    // A page is about as large as an access is on average: so all accesses together visit no more
    // than some pages each, and few meet on one.
    int PageShift() const {
      const auto mean = static_cast<uint64_t>(bytes / std::max<int64_t>(accesses, 1));
      return std::clamp(static_cast<int>(std::bit_width(mean)) - 1, 5, 18);
    }
  };

  // Bindings have 8 bits and offsets 32, so that pages of bindings do not meet in the key.
  Log& LogOf(const MemoryRange& range, size_t page) {
    if (range.space == MemoryRange::Space::kDram)
      return dram_[uint64_t{range.binding} << 36 | static_cast<uint64_t>(page)];
    std::vector<Log>& logs = on_chip_[static_cast<size_t>(range.space)];
    if (page >= logs.size()) logs.resize(std::max(page + 1, logs.size() * 2));
    return logs[page];
  }

  std::vector<int> dram_shifts_;  // by binding: the page's size, a power of two
  std::array<int, 2> on_chip_shifts_;
  // By space and page; what lies on the chip begins at address 0 and is used all over.
  std::array<std::vector<Log>, 2> on_chip_;
  std::unordered_map<uint64_t, Log> dram_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_PAGES_H_
