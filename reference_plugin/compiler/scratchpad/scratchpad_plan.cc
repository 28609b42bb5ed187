// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/scratchpad/scratchpad_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/placement/alignment.h"
#include "reference_plugin/compiler/scratchpad/block_map.h"

namespace acme::compiler {
namespace {

constexpr size_t kNoBuffer = SIZE_MAX;

// The buffer that a symbolic address stands in.
size_t FindBuffer(int64_t address, std::span<const ScratchpadBuffer> buffers) {
  const auto next = std::upper_bound(
      buffers.begin(), buffers.end(), address,
      [](int64_t at, const ScratchpadBuffer& buffer) { return at < buffer.begin; });
  if (next == buffers.begin()) return kNoBuffer;
  const auto index = static_cast<size_t>(next - buffers.begin()) - 1;
  return address < buffers[index].begin + buffers[index].bytes ? index : kNoBuffer;
}

// Requests must be under way before the DRAM is free for them, and when that is is an estimate.
constexpr int64_t kAheadCycles = 2000;

class Planner {
 public:
  Planner(const BufferUses& tasks, std::span<const TaskCost> costs, const Schedule& schedule,
          std::span<const ScratchpadBuffer> buffers, const Hardware& hardware)
      : tasks_(tasks),
        costs_(costs),
        schedule_(schedule),
        buffers_(buffers),
        queue_depth_(hardware.queue_depth),
        map_(hardware.scratchpad_bytes / kBufferAlignBytes * kBufferAlignBytes,
             static_cast<int64_t>(schedule.order.size()) + 1),
        uses_(buffers.size()),
        position_(schedule.prefetches.size()) {}

  std::optional<ScratchpadPlan> Run() {
    plan_.offsets.assign(buffers_.size(), -1);
    FindUses();
    int64_t all_bytes = 0;
    for (size_t i = 0; i < buffers_.size(); ++i) all_bytes += Bytes(i);
    // Memory that nobody had before is waited for by nobody.
    separate_ = all_bytes <= map_.limit_bytes();
    if (!PlaceWorked() || !PlacePrefetched()) return std::nullopt;
    Merge();
    return std::move(plan_);
  }

 private:
  // A prefetch in the load engine's queue, until it begins.
  struct Queued {
    int64_t begin_cycle;
    int64_t instructions;
  };

  // Positions of the scheduled tasks that touch a buffer.
  struct Use {
    int64_t first = INT64_MAX;
    int64_t last = -1;
    bool prefetched = false;
  };

  int64_t Bytes(size_t buffer) const { return AlignUp(buffers_[buffer].bytes); }

  void FindUses() {
    for (size_t i = 0; i < schedule_.order.size(); ++i) {
      for (uint32_t buffer : tasks_.buffers.Of(schedule_.order[i])) {
        Use& use = uses_[buffer];
        use.first = std::min(use.first, static_cast<int64_t>(i));
        use.last = std::max(use.last, static_cast<int64_t>(i));
      }
    }
    for (uint32_t task : schedule_.prefetches) {
      for (uint32_t buffer : tasks_.buffers.Of(task)) uses_[buffer].prefetched = true;
    }
  }

  // Buffers that the program's work fills: their times are given. Large ones first.
  // First fit leaves gaps that only small ones still fill.
  bool PlaceWorked() {
    std::vector<size_t> order;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (!uses_[i].prefetched && uses_[i].last >= 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return Bytes(a) > Bytes(b); });
    for (size_t buffer : order) {
      if (!Place(buffer, uses_[buffer].first)) return false;
    }
    return true;
  }

  bool Place(size_t buffer, int64_t first) {
    if (separate_) return PlaceInTurn(buffer, first);
    const int64_t last = std::max(uses_[buffer].last, first);
    const std::optional<int64_t> at = map_.Find(Bytes(buffer), first, last);
    if (!at) return false;
    plan_.offsets[buffer] = *at;
    map_.Add({*at, *at + Bytes(buffer), first, last});
    return true;
  }

  // Behind the one placed before, if possible: memory whose last use is long ago is waited for
  // least.
  bool PlaceInTurn(size_t buffer, int64_t first) {
    if (separate_) {
      plan_.offsets[buffer] = turn_;
      turn_ += Bytes(buffer);
      return true;
    }
    const int64_t last = std::max(uses_[buffer].last, first);
    std::optional<int64_t> at = map_.Find(Bytes(buffer), first, last, turn_);
    if (!at) at = map_.Find(Bytes(buffer), first, last);
    if (!at) return false;
    turn_ = *at + Bytes(buffer);
    plan_.offsets[buffer] = *at;
    map_.Add({*at, turn_, first, last});
    return true;
  }

  // Prefetches keep their order. Each goes as early as its buffer has room, but not earlier than
  // the DRAM can take it, or than there is room in the load engine's queue: the command processor
  // would wait for it, and all engines for the command processor.
  bool PlacePrefetched() {
    int64_t dram_free = 0;
    int64_t position = 0;
    dram_may_wait_ = DramMayWait();
    SortPrefetches();
    for (size_t i = 0; i < prefetches_.size(); ++i) {
      const uint32_t task = prefetches_[i];
      position = std::max({position, PositionAt(dram_free - kAheadCycles),
                           PositionAt(QueueHasRoom(tasks_.num_instructions[task]))});
      const auto filled = tasks_.buffers.Of(task);
      const size_t buffer = filled.empty() ? kNoBuffer : filled.back();
      // Of several loads that fill one buffer the first has it placed; the others come later.
      if (buffer != kNoBuffer && plan_.offsets[buffer] < 0) {
        const int64_t use = std::min<int64_t>(uses_[buffer].first, first_use_[i]);
        position = std::min(position, use);
        position = Earliest(buffer, position, use);
        if (!PlaceInTurn(buffer, position)) return false;
      }
      // A load is never behind its first use, whatever the DRAM's estimate says.
      position = BehindLoads(position, first_use_[i], dram_free, costs_[task].busy_cycles);
      if (buffer != kNoBuffer) position = std::min(position, first_use_[i]);
      position_[i] = position;
      const int64_t begins = position < LastPosition() + 1 && !schedule_.begin_cycle.empty()
                                 ? schedule_.begin_cycle[static_cast<size_t>(position)]
                                 : 0;
      dram_free = std::max(dram_free, begins);
      queued_.push_back({dram_free, int64_t{tasks_.num_instructions[task]}});
      dram_free += costs_[task].busy_cycles;
    }
    return true;
  }

  // Whether loads take so little of the program's time that the DRAM can be idle in between.
  bool DramMayWait() const {
    constexpr int64_t kMostPercent = 75;
    int64_t busy_cycles = 0;
    for (const TaskCost& cost : costs_)
      busy_cycles += cost.engine == Engine::kLoad ? cost.busy_cycles : 0;
    return !schedule_.begin_cycle.empty() &&
           busy_cycles * 100 < schedule_.begin_cycle.back() * kMostPercent;
  }

  // By first use, so that no load has to be issued before one that comes earlier in the list.
  void SortPrefetches() {
    std::vector<int64_t> uses;
    for (size_t i = 0; i < schedule_.prefetches.size(); ++i) uses.push_back(FirstUse(i));
    std::vector<size_t> by_use(uses.size());
    std::iota(by_use.begin(), by_use.end(), size_t{0});
    std::stable_sort(by_use.begin(), by_use.end(),
                     [&](size_t a, size_t b) { return uses[a] < uses[b]; });
    for (size_t i : by_use) {
      prefetches_.push_back(schedule_.prefetches[i]);
      first_use_.push_back(std::min(uses[i], LastPosition()));
    }
  }

  // What no task needs, as the front of an image of which a slice is taken, has to come while others
  // need its buffer: afterwards that is another's.
  int64_t FirstUse(size_t prefetch) {
    int64_t use = schedule_.first_use[prefetch];
    if (use < static_cast<int64_t>(schedule_.order.size())) return use;
    for (uint32_t buffer : tasks_.buffers.Of(schedule_.prefetches[prefetch])) {
      if (uses_[buffer].last >= 0) use = uses_[buffer].last;
    }
    return use;
  }

  int64_t LastPosition() const {
    return std::max<int64_t>(0, static_cast<int64_t>(schedule_.order.size()) - 1);
  }

  // The first task that begins at that time or later.
  int64_t PositionAt(int64_t cycle) const {
    const auto& begins = schedule_.begin_cycle;
    return std::min<int64_t>(
        LastPosition(), std::lower_bound(begins.begin(), begins.end(), cycle) - begins.begin());
  }

  // When so many instructions more fit the queue of the prefetches so far.
  // Prefetches leave the queue in their order as they begin, so the queue has room when the last
  // one that must have left begins.
  int64_t QueueHasRoom(int64_t instructions) {
    while (first_queued_ < queued_.size() && num_queued_ + instructions > queue_depth_)
      num_queued_ -= queued_[first_queued_++].instructions;
    num_queued_ += instructions;
    return first_queued_ == 0 ? 0 : queued_[first_queued_ - 1].begin_cycle;
  }

  // Loads of the order that can begin before the DRAM is free for a prefetch keep their turn, since
  // their engine takes one after the other: the prefetch goes behind those that stand before its use.
  // So do those that can begin before it ends, if it and the DRAM have the time to wait for them.
  int64_t BehindLoads(int64_t position, int64_t use, int64_t dram_free, int64_t busy_cycles) {
    const auto& begins = schedule_.begin_cycle;
    if (begins.empty()) return position;
    const int64_t ends = dram_free + busy_cycles;
    const bool may_wait = dram_may_wait_ && begins[static_cast<size_t>(use)] - ends >= kAheadCycles;
    for (; next_load_ < use; ++next_load_) {
      const auto at = static_cast<size_t>(next_load_);
      if (begins[at] > (may_wait ? ends : dram_free)) break;
      if (costs_[schedule_.order[at]].engine == Engine::kLoad) behind_load_ = next_load_ + 1;
    }
    return std::max(position, std::min(behind_load_, use));
  }

  // Where there is room from until the last use; a later beginning never needs more room.
  int64_t Earliest(size_t buffer, int64_t low, int64_t high) {
    if (separate_) return low;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (map_.Find(Bytes(buffer), middle, std::max(uses_[buffer].last, middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  void Merge() {
    size_t next = 0;
    for (size_t i = 0; i < schedule_.order.size(); ++i) {
      for (; next < position_.size() && position_[next] <= static_cast<int64_t>(i); ++next)
        plan_.order.push_back(prefetches_[next]);
      plan_.order.push_back(schedule_.order[i]);
    }
    for (; next < position_.size(); ++next) plan_.order.push_back(prefetches_[next]);
  }

  const BufferUses& tasks_;
  std::span<const TaskCost> costs_;
  const Schedule& schedule_;
  std::span<const ScratchpadBuffer> buffers_;
  int64_t queue_depth_;
  BlockMap map_;
  std::vector<Use> uses_;
  std::vector<uint32_t> prefetches_;
  std::vector<int64_t> first_use_;  // of prefetches_: positions
  std::vector<int64_t> position_;   // of prefetches_
  bool separate_ = false;           // there is room for all buffers without using any memory twice
  std::vector<Queued> queued_;      // by prefetches_, those placed so far
  size_t first_queued_ = 0;         // of queued_, that is still there when the next one comes
  int64_t num_queued_ = 0;          // instructions from there on
  int64_t next_load_ = 0;           // BehindLoads has looked at the positions before
  int64_t behind_load_ = 0;         // the last load among them is before this position
  bool dram_may_wait_ = false;
  int64_t turn_ = 0;  // where the last buffer placed in turn ended
  ScratchpadPlan plan_;
};

// Replaces symbolic scratchpad addresses in an instruction's fields.
struct Relocator {
  SymbolicAddresses symbols;
  std::span<const ScratchpadBuffer> buffers;
  std::span<const int64_t> offsets;

  template <int bits, FieldKind kind, class T>
  void Field(T& member) const {
    if constexpr (kind == FieldKind::kSpm) {
      const int64_t address = symbols.Whole(static_cast<int64_t>(member));
      const size_t buffer = FindBuffer(address, buffers);
      if (buffer == kNoBuffer) return;
      member = static_cast<T>(address - buffers[buffer].begin + offsets[buffer]);
    }
  }

  void operator()(AnyInstr& instr) const {
    std::visit(
        [this](auto& op) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(op)>, std::monostate>)
            isa::VisitFields(op, *this);
        },
        instr);
  }
};

}  // namespace

BufferUses FindBufferUses(std::span<const Task> tasks, const Footprints& footprints,
                          std::span<const ScratchpadBuffer> buffers) {
  BufferUses uses;
  for (size_t i = 0; i < tasks.size(); ++i) {
    uses.num_instructions.push_back(static_cast<uint32_t>(tasks[i].config.size()) + 1);
    const Footprint footprint = footprints[i];
    for (const auto ranges : {footprint.reads, footprint.writes}) {
      for (const MemoryRange& range : ranges) {
        if (range.space != MemoryRange::Space::kScratchpad) continue;
        const size_t buffer = FindBuffer(range.begin, buffers);
        if (buffer != kNoBuffer) uses.buffers.all.push_back(static_cast<uint32_t>(buffer));
      }
    }
    uses.buffers.first.push_back(static_cast<uint32_t>(uses.buffers.all.size()));
  }
  return uses;
}

std::optional<ScratchpadPlan> PlanScratchpad(const BufferUses& uses,
                                             std::span<const TaskCost> costs,
                                             const Schedule& schedule,
                                             std::span<const ScratchpadBuffer> buffers,
                                             const Hardware& hardware) {
  return Planner(uses, costs, schedule, buffers, hardware).Run();
}

int64_t PeakBytes(const BufferUses& uses, std::span<const ScratchpadBuffer> buffers) {
  std::vector<int64_t> change(uses.num_tasks() + 1);  // of the live bytes, before each task
  std::vector<std::pair<size_t, size_t>> lives(buffers.size(), {SIZE_MAX, 0});
  for (size_t i = 0; i < uses.num_tasks(); ++i) {
    for (uint32_t buffer : uses.buffers.Of(static_cast<uint32_t>(i)))
      lives[buffer] = {std::min(lives[buffer].first, i), std::max(lives[buffer].second, i)};
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (lives[i].first == SIZE_MAX) continue;
    change[lives[i].first] += AlignUp(buffers[i].bytes);
    change[lives[i].second + 1] -= AlignUp(buffers[i].bytes);
  }
  int64_t live = 0;
  int64_t peak = 0;
  for (int64_t by : change) {
    live += by;
    peak = std::max(peak, live);
  }
  return peak;
}

void Relocate(Task& task, std::span<const ScratchpadBuffer> buffers,
              std::span<const int64_t> offsets) {
  const Relocator relocate{task.symbols, buffers, offsets};
  for (AnyInstr& config : task.config) relocate(config);
  if (task.weights) isa::VisitFields(*task.weights, relocate);
  relocate(task.work);
  task.symbols = {};
}

std::string ScratchpadPlan::ToString(std::span<const ScratchpadBuffer> buffers) const {
  std::string text;
  for (size_t i = 0; i < buffers.size(); ++i) {
    text += fmt::format("buffer {} symbolic {} bytes {} at {}\n", i, buffers[i].begin,
                        buffers[i].bytes, offsets[i]);
  }
  return text;
}

}  // namespace acme::compiler
