// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/footprints.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "reference_plugin/compiler/tasks/task_cost.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/footprint.h"

namespace acme::compiler {
namespace {

// Most tasks touch no more.
constexpr size_t kUsualRanges = 3;

// Runs that follow each other without a gap are joined; if what is left repeats with one distance,
// or with multiples of it, the range is periodic.
MemoryRange RangeOf(const Access& access, const SymbolicAddresses& symbols) {
  MemoryRange range;
  range.binding = access.space == Space::kDram ? access.binding : 0;
  range.space = access.space == Space::kDram         ? MemoryRange::Space::kDram
                : access.space == Space::kScratchpad ? MemoryRange::Space::kScratchpad
                                                     : MemoryRange::Space::kAccumulators;
  const int64_t low = access.LowBytes();
  range.begin = range.space == MemoryRange::Space::kScratchpad ? symbols.Whole(low) : low;
  range.end = range.begin + access.HighBytes() - low;
  std::array<std::pair<int64_t, int64_t>, 4> dims;  // stride, count
  size_t count = 0;
  for (size_t d = 0; d < 4; ++d) {
    if (access.count[d] > 1 && access.stride[d] != 0)
      dims[count++] = {std::abs(int64_t{access.stride[d]}), access.count[d]};
  }
  std::sort(dims.begin(), dims.begin() + static_cast<int64_t>(count));
  int64_t run = access.run_bytes;
  size_t d = 0;
  // From the smallest stride up: dimensions that leave no gap make one longer run.
  for (; d < count && dims[d].first <= run; ++d)
    run = std::max(run, dims[d].first * (dims[d].second - 1) + run);
  if (d == count || range.space != MemoryRange::Space::kScratchpad) return range;
  // The smallest stride with a gap is the period. Strides that are multiples of it repeat at the
  // same phase; any other would not, and the whole range stands for it.
  const int64_t period = dims[d].first;
  for (size_t rest = d + 1; rest < count; ++rest) {
    if (dims[rest].first % period != 0) return range;
  }
  range.period = period;
  range.phase = range.begin % period;
  range.length = run;
  return range;
}

// Appends it, or widens one that it overlaps and that repeats alike: the many pieces of a window
// make one.
void AddRange(const MemoryRange& range, std::vector<MemoryRange>& ranges) {
  for (MemoryRange& other : ranges) {
    if (other.SameMemory(range) && other.period == range.period && other.phase == range.phase &&
        other.length == range.length && other.begin <= range.end && range.begin <= other.end) {
      other.begin = std::min(other.begin, range.begin);
      other.end = std::max(other.end, range.end);
      return;
    }
  }
  ranges.push_back(range);
}

}  // namespace

void Footprints::Reserve(size_t tasks) {
  ranges_.reserve(kUsualRanges * tasks);
  begins_.reserve(tasks);
}

void Footprints::Add(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) {
  begins_.push_back({ranges_.size(), ranges_.size() + reads.size()});
  ranges_.insert(ranges_.end(), reads.begin(), reads.end());
  ranges_.insert(ranges_.end(), writes.begin(), writes.end());
}

Footprints FindFootprints(std::span<const Task> tasks, const Hardware& hardware) {
  Footprints footprints;
  footprints.Reserve(tasks.size());
  EngineState state;
  std::vector<MemoryRange> reads, writes;
  for (const Task& task : tasks) {
    reads.clear();
    writes.clear();
    const auto add = [&](const Access& access) {
      AddRange(RangeOf(access, task.symbols), access.write ? writes : reads);
    };
    const auto run = [&](const Instr& instr) {
      ForEachAccess(instr, state, hardware.array_cols, add);
      ApplyToState(instr, state);
    };
    Configure(task, state);
    if (task.weights) run(Instr{{}, *task.weights});
    run(Instr{{}, task.work});
    footprints.Add(reads, writes);
  }
  return footprints;
}

}  // namespace acme::compiler
