// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/dependencies.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "reference_plugin/compiler/tasks/memory_pages.h"

namespace acme::compiler {
namespace {

// Uses of one part of a memory that later tasks may depend on.
struct Use {
  const MemoryRange* range = nullptr;  // of a footprint
  uint32_t task = 0;
};
struct PartUses {
  std::vector<Use> reads;
  std::vector<Use> writes;
};

// Finds for each task the tasks that must come before it.
class DependencyFinder {
 public:
  explicit DependencyFinder(const Footprints& footprints)
      : num_predecessors_(footprints.size()),
        last_successor_(footprints.size(), kNone),
        pages_(footprints) {
    for (uint32_t i = 0; i < footprints.size(); ++i) {
      for (const MemoryRange& range : footprints[i].reads) Read(range, i);
      for (const MemoryRange& range : footprints[i].writes) Write(range, i);
    }
  }

  Dependencies Take() {
    Dependencies found;
    found.num_predecessors = std::move(num_predecessors_);
    auto& [first, all] = found.successors;
    first.assign(last_successor_.size() + 1, 0);
    for (const Edge& edge : edges_) ++first[edge.from + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    // They were found in the order of the later task.
    std::vector<uint32_t> next = first;
    all.resize(edges_.size());
    for (const Edge& edge : edges_) all[next[edge.from]++] = edge.to;
    return found;
  }

 private:
  struct Edge {
    uint32_t from;
    uint32_t to;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  // All edges to a task are found while it is visited, so that a repeated one is the last from
  // where it comes.
  void AddEdge(uint32_t from, uint32_t to) {
    if (from == to || last_successor_[from] == to) return;
    last_successor_[from] = to;
    edges_.push_back({from, to});
    ++num_predecessors_[to];
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

  std::vector<Edge> edges_;
  std::vector<uint32_t> num_predecessors_;
  std::vector<uint32_t> last_successor_;  // found so far
  MemoryPages<PartUses> pages_;
};

}  // namespace

Dependencies FindDependencies(const Footprints& footprints) {
  Dependencies found = DependencyFinder(footprints).Take();
  for (size_t task = 0; task < footprints.size(); ++task) {
    found.reads_scratchpad.push_back(std::ranges::any_of(
        footprints[task].reads,
        [](const MemoryRange& range) { return range.space == MemoryRange::Space::kScratchpad; }));
  }
  return found;
}

}  // namespace acme::compiler
