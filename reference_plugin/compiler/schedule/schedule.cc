// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/schedule.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace acme::compiler {
namespace {

// From the end of one task to the beginning of another engine's that waits for it.
constexpr int64_t kHandOverCycles = 2;

constexpr uint32_t kNone = UINT32_MAX;

// Tasks of one engine in their order, of which any may be taken out; `links` is by task.
struct Link {
  uint32_t previous = kNone;
  uint32_t next = kNone;
};
struct WaitingList {
  uint32_t first = kNone;
  uint32_t last = kNone;

  void Append(uint32_t task, std::vector<Link>& links) {
    links[task].previous = last;
    (last == kNone ? first : links[last].next) = task;
    last = task;
  }
  void Remove(uint32_t task, std::vector<Link>& links) {
    const Link link = links[task];
    (link.previous == kNone ? first : links[link.previous].next) = link.next;
    (link.next == kNone ? last : links[link.next].previous) = link.previous;
  }
};

class Scheduler {
 public:
  // Prefetches come one after the other in the order of their first use in `draft`; without one,
  // all at once.
  Scheduler(std::span<const Task> tasks, std::span<const TaskCost> costs, size_t window,
            const Dependencies& dependencies, const Schedule* draft)
      : tasks_(tasks),
        costs_(costs),
        window_(window),
        successors_(dependencies.successors),
        predecessors_(dependencies.num_predecessors),
        draft_(draft),
        ready_(tasks.size()),
        done_(tasks.size()),
        links_(tasks.size()) {
    engines_.reserve(tasks.size());
    for (const Task& task : tasks) engines_.push_back(static_cast<uint8_t>(task.engine()));
  }

  Schedule Run() {
    TakePrefetches();
    for (uint32_t i = 0; i < tasks_.size(); ++i) {
      if (!done_[i]) waiting_[EngineOf(i)].Append(i, links_);
    }
    size_t first = 0;
    for (;;) {
      while (first < tasks_.size() && done_[first]) ++first;
      if (first == tasks_.size()) break;
      Take(Choose(first));
    }
    FindFirstUses();
    return std::move(schedule_);
  }

 private:
  void FindFirstUses() {
    std::vector<uint32_t> position(tasks_.size(), static_cast<uint32_t>(schedule_.order.size()));
    for (uint32_t i = 0; i < schedule_.order.size(); ++i) position[schedule_.order[i]] = i;
    for (uint32_t task : schedule_.prefetches) {
      uint32_t first = static_cast<uint32_t>(schedule_.order.size());
      for (uint32_t next : successors_[task]) first = std::min(first, position[next]);
      schedule_.first_use.push_back(first);
    }
  }

  size_t EngineOf(uint32_t task) const { return engines_[task]; }

  // Indices that another load brings are no reason to wait, but an order that prefetches do not keep.
  static bool ReadsScratchpad(const Task& task) {
    return std::any_of(task.reads.begin(), task.reads.end(), [](const MemoryRange& range) {
      return range.space == MemoryRange::Space::kScratchpad;
    });
  }

  // Loads with nothing to wait for, as if there were room for all.
  // What the scratchpad has room for is not known yet: PlanScratchpad delays those that do not fit.
  void TakePrefetches() {
    if (draft_ == nullptr) {
      for (uint32_t i = 0; i < tasks_.size(); ++i) {
        if (tasks_[i].engine() != Engine::kLoad || predecessors_[i] != 0 ||
            ReadsScratchpad(tasks_[i]))
          continue;
        schedule_.prefetches.push_back(i);
        Finish(i, 0, 0);
      }
      return;
    }
    std::vector<size_t> by_use(draft_->prefetches.size());
    std::iota(by_use.begin(), by_use.end(), size_t{0});
    std::stable_sort(by_use.begin(), by_use.end(), [&](size_t a, size_t b) {
      return draft_->first_use[a] < draft_->first_use[b];
    });
    int64_t dram_free = 0;
    for (size_t i : by_use) {
      const uint32_t task = draft_->prefetches[i];
      schedule_.prefetches.push_back(task);
      dram_free += costs_[task].busy_cycles;
      Finish(task, dram_free, 0);
    }
  }

  // An engine's own results are there for its next task without the way out of it.
  void Finish(uint32_t task, int64_t end, int64_t tail) {
    done_[task] = true;
    for (uint32_t next : successors_[task]) {
      --predecessors_[next];
      const int64_t hand_over = EngineOf(next) == EngineOf(task) ? 0 : tail + kHandOverCycles;
      ready_[next] = std::max(ready_[next], end + hand_over);
    }
  }

  // The task that can begin first, of those in the window; the earlier of equals.
  uint32_t Choose(size_t first) {
    uint32_t best = 0;
    int64_t best_begin = INT64_MAX;
    for (size_t engine = 1; engine < kEngineCount; ++engine) {
      for (uint32_t task = waiting_[engine].first; task != kNone; task = links_[task].next) {
        if (task >= first + window_) break;
        if (predecessors_[task] != 0) continue;
        const int64_t begin = std::max(free_[engine], ready_[task]);
        if (begin < best_begin || (begin == best_begin && task < best)) {
          best = task;
          best_begin = begin;
        }
        // No later one of this engine can begin earlier, and of equals the earlier is taken.
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
    Finish(task, free_[engine], costs_[task].tail_cycles);
    waiting_[engine].Remove(task, links_);
  }

  std::span<const Task> tasks_;
  std::span<const TaskCost> costs_;
  std::vector<uint8_t> engines_;  // by task
  size_t window_;
  const std::vector<std::vector<uint32_t>>& successors_;
  std::vector<uint32_t> predecessors_;  // that are not done
  const Schedule* draft_;
  std::vector<int64_t> ready_;
  std::vector<bool> done_;
  std::vector<Link> links_;
  std::array<WaitingList, kEngineCount> waiting_;
  std::array<int64_t, kEngineCount> free_ = {};
  Schedule schedule_;
};

}  // namespace

Schedule PlanSchedule(std::span<const Task> tasks, std::span<const TaskCost> costs,
                      const Dependencies& dependencies, size_t window) {
  // When a load is there depends on the order of loads, and their order on when each is first used.
  // The draft takes all loads to be there at once, which gives an order of uses; the second run
  // lets them come one after the other in that order.
  const Schedule draft = Scheduler(tasks, costs, window, dependencies, nullptr).Run();
  return Scheduler(tasks, costs, window, dependencies, &draft).Run();
}

int64_t EstimateCycles(std::span<const Task> tasks, std::span<const TaskCost> costs,
                       std::span<const EnginePositions> conflicts, int64_t load_latency_cycles) {
  struct Progress {
    int64_t free = 0;                    // when the engine can begin its next task
    std::vector<int64_t> result_is_out;  // of its tasks so far, and of those before them
  };
  std::array<Progress, kEngineCount> engines;
  int64_t last = 0;
  for (size_t task = 0; task < tasks.size(); ++task) {
    const Engine engine = tasks[task].engine();
    Progress& own = engines[static_cast<size_t>(engine)];
    int64_t begin = own.free;
    for (size_t other = 0; other < kEngineCount; ++other) {
      const uint32_t position = conflicts[task][other];
      if (position == 0) continue;
      begin = std::max(begin, engines[other].result_is_out[position - 1] + kHandOverCycles);
    }
    own.free = begin + costs[task].busy_cycles;
    const int64_t tail =
        costs[task].tail_cycles + (engine == Engine::kLoad ? load_latency_cycles : 0);
    // An engine completes in order, so a result is not seen before those of earlier tasks.
    const int64_t before = own.result_is_out.empty() ? 0 : own.result_is_out.back();
    own.result_is_out.push_back(std::max(before, own.free + tail));
    last = std::max(last, own.free + tail);
  }
  return last;
}

int64_t BusyCycles(std::span<const Task> tasks, std::span<const TaskCost> costs) {
  std::array<int64_t, kEngineCount> busy = {};
  for (size_t i = 0; i < tasks.size(); ++i)
    busy[static_cast<size_t>(tasks[i].engine())] += costs[i].busy_cycles;
  return *std::max_element(busy.begin(), busy.end());
}

}  // namespace acme::compiler
