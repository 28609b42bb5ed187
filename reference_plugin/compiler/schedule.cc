// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace acme::compiler {
namespace {

// From the end of one task to the beginning of another engine's that waits for it.
constexpr int64_t kHandOverCycles = 2;

// Accesses of one part of a memory that later tasks may depend on.
struct Access {
  Region region;
  uint32_t task = 0;
};
struct AccessLog {
  std::vector<Access> reads;
  std::vector<Access> writes;
};

// Finds for each task the tasks that must come before it.
class DependencyFinder {
 public:
  explicit DependencyFinder(std::span<const Task> tasks)
      : successors_(tasks.size()), predecessors_(tasks.size()) {
    for (uint32_t i = 0; i < tasks.size(); ++i) {
      for (const Region& region : tasks[i].reads) Read(region, i);
      for (const Region& region : tasks[i].writes) Write(region, i);
    }
  }

  std::vector<std::vector<uint32_t>> successors_;
  std::vector<uint32_t> predecessors_;  // how many

 private:
  // Memory is cut into pages, so that only neighbours are compared.
  static constexpr int64_t kPageShift = 14;

  template <class Visit>
  void ForEachPage(const Region& region, Visit&& visit) {
    const auto memory = static_cast<uint64_t>(region.space) * 256 + region.binding;
    for (int64_t page = region.begin >> kPageShift; page <= (region.end - 1) >> kPageShift; ++page)
      visit(logs_[memory << 40 | static_cast<uint64_t>(page)]);
  }

  void AddEdge(uint32_t from, uint32_t to) {
    if (from == to) return;
    std::vector<uint32_t>& next = successors_[from];
    if (!next.empty() && next.back() == to) return;
    next.push_back(to);
    ++predecessors_[to];
  }

  void Read(const Region& region, uint32_t task) {
    ForEachPage(region, [&](AccessLog& log) {
      for (const Access& write : log.writes) {
        if (write.region.Overlaps(region)) AddEdge(write.task, task);
      }
      log.reads.push_back({region, task});
    });
  }

  void Write(const Region& region, uint32_t task) {
    ForEachPage(region, [&](AccessLog& log) {
      const auto depend = [&](std::vector<Access>& accesses) {
        std::erase_if(accesses, [&](const Access& old) {
          if (!old.region.Overlaps(region)) return false;
          AddEdge(old.task, task);
          // What depends on the old access on this page depends on the new one, too.
          return region.Contains(old.region);
        });
      };
      depend(log.reads);
      depend(log.writes);
      log.writes.push_back({region, task});
    });
  }

  std::unordered_map<uint64_t, AccessLog> logs_;
};

class Scheduler {
 public:
  Scheduler(std::span<const Task> tasks, std::span<const TaskCost> costs, size_t window)
      : tasks_(tasks),
        costs_(costs),
        window_(window),
        dependencies_(tasks),
        ready_(tasks.size()),
        done_(tasks.size()) {}

  Schedule Run() {
    TakePrefetches();
    for (uint32_t i = 0; i < tasks_.size(); ++i) {
      if (!done_[i]) waiting_[EngineOf(i)].push_back(i);
    }
    size_t first = 0;
    for (;;) {
      while (first < tasks_.size() && done_[first]) ++first;
      if (first == tasks_.size()) break;
      Take(Choose(first));
    }
    return std::move(schedule_);
  }

 private:
  size_t EngineOf(uint32_t task) const { return static_cast<size_t>(tasks_[task].engine()); }

  // Loads with nothing to wait for, as if there were room for all.
  void TakePrefetches() {
    int64_t dram_free = 0;
    for (uint32_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].engine() != Engine::kLoad || dependencies_.predecessors_[i] != 0) continue;
      schedule_.prefetches.push_back(i);
      dram_free += costs_[i].busy_cycles;
      Finish(i, dram_free);
    }
  }

  void Finish(uint32_t task, int64_t end) {
    done_[task] = true;
    for (uint32_t next : dependencies_.successors_[task]) {
      --dependencies_.predecessors_[next];
      const int64_t hand_over = EngineOf(next) == EngineOf(task) ? 0 : kHandOverCycles;
      ready_[next] = std::max(ready_[next], end + hand_over);
    }
  }

  // The task that can begin first, of those in the window; the earlier of equals.
  uint32_t Choose(size_t first) {
    uint32_t best = 0;
    int64_t best_begin = INT64_MAX;
    for (size_t engine = 1; engine < kEngineCount; ++engine) {
      std::vector<uint32_t>& waiting = waiting_[engine];
      for (uint32_t task : waiting) {
        if (task >= first + window_) break;
        if (dependencies_.predecessors_[task] != 0) continue;
        const int64_t begin = std::max(free_[engine], ready_[task]);
        if (begin < best_begin || (begin == best_begin && task < best)) {
          best = task;
          best_begin = begin;
        }
        if (begin == free_[engine]) break;
      }
    }
    return best;
  }

  void Take(uint32_t task) {
    const size_t engine = EngineOf(task);
    const int64_t begin = std::max(free_[engine], ready_[task]);
    free_[engine] = begin + costs_[task].busy_cycles;
    schedule_.order.push_back(task);
    schedule_.begin_cycle.push_back(begin);
    Finish(task, free_[engine] + costs_[task].tail_cycles);
    waiting_[engine].erase(std::find(waiting_[engine].begin(), waiting_[engine].end(), task));
  }

  std::span<const Task> tasks_;
  std::span<const TaskCost> costs_;
  size_t window_;
  DependencyFinder dependencies_;
  std::vector<int64_t> ready_;
  std::vector<bool> done_;
  std::array<std::vector<uint32_t>, kEngineCount> waiting_;
  std::array<int64_t, kEngineCount> free_ = {};
  Schedule schedule_;
};

}  // namespace

Schedule PlanSchedule(std::span<const Task> tasks, std::span<const TaskCost> costs, size_t window) {
  return Scheduler(tasks, costs, window).Run();
}

}  // namespace acme::compiler
