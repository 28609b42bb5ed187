// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

namespace acme::compiler {
namespace {

// From the end of one task to the beginning of another engine's that waits for it.
constexpr int64_t kHandOverCycles = 2;

// Tasks by number, a bit each: those of a window are a few words.
class TaskSet {
 public:
  explicit TaskSet(size_t tasks) : words_(tasks / kBits + 1) {}
  void Add(uint32_t task) { words_[task / kBits] |= uint64_t{1} << task % kBits; }
  void Remove(uint32_t task) { words_[task / kBits] &= ~(uint64_t{1} << task % kBits); }

  // Calls visit(task) for those from begin to before end, in their order, until it returns false.
  template <class Visit>
  void ForEach(size_t begin, size_t end, Visit&& visit) const {
    for (size_t at = begin; at < end; at = (at / kBits + 1) * kBits) {
      uint64_t word = words_[at / kBits] >> at % kBits << at % kBits;
      for (; word != 0; word &= word - 1) {
        const size_t task = at / kBits * kBits + std::countr_zero(word);
        if (task >= end || !visit(static_cast<uint32_t>(task))) return;
      }
    }
  }

 private:
  static constexpr size_t kBits = 64;
  std::vector<uint64_t> words_;
};

class Scheduler {
 public:
  // Prefetches come one after the other in the order of their first use in `draft`; without one,
  // all at once.
  Scheduler(std::span<const TaskCost> costs, size_t window, const Dependencies& dependencies,
            const Schedule* draft)
      : num_tasks_(costs.size()),
        costs_(costs),
        window_(window),
        dependencies_(dependencies),
        predecessors_(dependencies.num_predecessors),
        draft_(draft),
        ready_at_(num_tasks_),
        done_(num_tasks_),
        free_tasks_(kEngineCount, TaskSet(num_tasks_)) {}

  Schedule Run() {
    TakePrefetches();
    for (uint32_t i = 0; i < num_tasks_; ++i) {
      if (!done_[i] && predecessors_[i] == 0) free_tasks_[EngineOf(i)].Add(i);
    }
    size_t first = 0;
    for (;;) {
      while (first < num_tasks_ && done_[first]) ++first;
      if (first == num_tasks_) break;
      Take(Choose(first));
    }
    FindFirstUses();
    return std::move(schedule_);
  }

 private:
  void FindFirstUses() {
    std::vector<uint32_t> position(num_tasks_, static_cast<uint32_t>(schedule_.order.size()));
    for (uint32_t i = 0; i < schedule_.order.size(); ++i) position[schedule_.order[i]] = i;
    for (uint32_t task : schedule_.prefetches) {
      uint32_t first = static_cast<uint32_t>(schedule_.order.size());
      for (uint32_t next : dependencies_.successors.Of(task))
        first = std::min(first, position[next]);
      schedule_.first_use.push_back(first);
    }
  }

  size_t EngineOf(uint32_t task) const { return static_cast<size_t>(costs_[task].engine); }

  // Loads with nothing to wait for, as if there were room for all. Indices that another load brings are
  // no reason to wait, but an order that prefetches do not keep.
  // What the scratchpad has room for is not known yet: PlanScratchpad delays those that do not fit.
  void TakePrefetches() {
    if (draft_ == nullptr) {
      for (uint32_t i = 0; i < num_tasks_; ++i) {
        if (costs_[i].engine != Engine::kLoad || predecessors_[i] != 0 ||
            dependencies_.reads_scratchpad[i])
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
    for (uint32_t next : dependencies_.successors.Of(task)) {
      if (--predecessors_[next] == 0) free_tasks_[EngineOf(next)].Add(next);
      const int64_t hand_over = EngineOf(next) == EngineOf(task) ? 0 : tail + kHandOverCycles;
      ready_at_[next] = std::max(ready_at_[next], end + hand_over);
    }
  }

  // The task that can begin first, of those in the window; the earlier of equals.
  uint32_t Choose(size_t first) {
    uint32_t best = 0;
    int64_t best_begin = INT64_MAX;
    const size_t end = std::min(first + window_, num_tasks_);
    for (size_t engine = 1; engine < kEngineCount; ++engine) {
      free_tasks_[engine].ForEach(first, end, [&](uint32_t task) {
        const int64_t begin = std::max(free_at_[engine], ready_at_[task]);
        if (begin < best_begin || (begin == best_begin && task < best)) {
          best = task;
          best_begin = begin;
        }
        // No later one of this engine can begin earlier, and of equals the earlier is taken.
        return begin != free_at_[engine];
      });
    }
    return best;
  }

  void Take(uint32_t task) {
    const size_t engine = EngineOf(task);
    const int64_t begin = std::max(free_at_[engine], ready_at_[task]);
    free_at_[engine] = begin + costs_[task].busy_cycles;
    schedule_.order.push_back(task);
    schedule_.begin_cycle.push_back(begin);
    free_tasks_[engine].Remove(task);
    Finish(task, free_at_[engine], costs_[task].tail_cycles);
  }

  size_t num_tasks_;
  std::span<const TaskCost> costs_;
  size_t window_;
  const Dependencies& dependencies_;
  std::vector<uint32_t> predecessors_;  // that are not done
  const Schedule* draft_;
  std::vector<int64_t> ready_at_;  // by what is done of a task's predecessors
  std::vector<bool> done_;
  std::vector<TaskSet> free_tasks_;  // by engine: not done, all their predecessors are
  std::array<int64_t, kEngineCount> free_at_ = {};
  Schedule schedule_;
};

// Loads and stores share the DRAM. Each is told when it ends, in the order of issue: of two transfers at a
// time the one that is told later waits for both.
class SharedDram {
 public:
  int64_t End(const TaskCost& cost, int64_t begin) {
    int64_t end = begin + cost.busy_cycles;
    if (cost.dram_cycles == 0) return end;
    const double share = Share(cost);
    Transfers& others = transfers_[cost.engine == Engine::kLoad ? 1 : 0];
    // An engine's transfers begin in order: what ended before this one ends before the next.
    while (others.first < others.all.size() && others.all[others.first].end <= begin)
      ++others.first;
    for (size_t i = others.first; i < others.all.size() && others.all[i].begin < end; ++i) {
      const Transfer& other = others.all[i];
      const auto both =
          static_cast<double>(std::min(end, other.end) - std::max(begin, other.begin));
      end += static_cast<int64_t>(both * std::max(0.0, share + other.share - 1));
    }
    transfers_[cost.engine == Engine::kLoad ? 0 : 1].all.push_back({begin, end, share});
    return end;
  }

 private:
  struct Transfer {
    int64_t begin;
    int64_t end;
    double share;  // of what the DRAM can do
  };
  struct Transfers {
    std::vector<Transfer> all;  // in the order of their begins
    size_t first = 0;           // those before are over
  };

  static double Share(const TaskCost& cost) {
    return static_cast<double>(cost.dram_cycles) /
           static_cast<double>(std::max<int64_t>(cost.busy_cycles, 1));
  }

  std::array<Transfers, 2> transfers_;  // of loads and of stores
};

}  // namespace

Schedule PlanSchedule(std::span<const TaskCost> costs, const Dependencies& dependencies,
                      size_t window) {
  // When a load is there depends on the order of loads, and their order on when each is first used.
  // The draft takes all loads to be there at once, which gives an order of uses; the second run
  // lets them come one after the other in that order.
  const Schedule draft = Scheduler(costs, window, dependencies, nullptr).Run();
  return Scheduler(costs, window, dependencies, &draft).Run();
}

int64_t EstimateCycles(std::span<const TaskCost> costs, std::span<const EnginePositions> conflicts,
                       int64_t load_latency_cycles) {
  struct Progress {
    int64_t free = 0;                    // when the engine can begin its next task
    std::vector<int64_t> result_is_out;  // of its tasks so far, and of those before them
  };
  std::array<Progress, kEngineCount> engines;
  SharedDram dram;
  int64_t last = 0;
  for (size_t task = 0; task < costs.size(); ++task) {
    const Engine engine = costs[task].engine;
    Progress& own = engines[static_cast<size_t>(engine)];
    int64_t begin = own.free;
    for (size_t other = 0; other < kEngineCount; ++other) {
      const uint32_t position = conflicts[task][other];
      if (position == 0) continue;
      begin = std::max(begin, engines[other].result_is_out[position - 1] + kHandOverCycles);
    }
    own.free = dram.End(costs[task], begin);
    const int64_t tail =
        costs[task].tail_cycles + (engine == Engine::kLoad ? load_latency_cycles : 0);
    // An engine completes in order, so a result is not seen before those of earlier tasks.
    const int64_t before = own.result_is_out.empty() ? 0 : own.result_is_out.back();
    own.result_is_out.push_back(std::max(before, own.free + tail));
    last = std::max(last, own.free + tail);
  }
  return last;
}

int64_t BusyCycles(std::span<const TaskCost> costs) {
  std::array<int64_t, kEngineCount> busy = {};
  int64_t dram = 0;
  for (const TaskCost& cost : costs) {
    busy[static_cast<size_t>(cost.engine)] += cost.busy_cycles;
    dram += cost.dram_cycles;
  }
  return std::max(dram, *std::max_element(busy.begin(), busy.end()));
}

}  // namespace acme::compiler
