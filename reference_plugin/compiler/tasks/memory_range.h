// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where instructions read and write.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_RANGE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_RANGE_H_

#include <algorithm>
#include <cstdint>

namespace acme::compiler {

// A part of one memory: bytes of the scratchpad, of the accumulators or of a DRAM binding.
// [begin, end), or of it only those whose address modulo `period` lies in the `length` from `phase`
// on: some channels of many pixels.
struct MemoryRange {
  enum class Space : uint8_t { kScratchpad, kAccumulators, kDram };
  Space space = Space::kScratchpad;
  uint32_t binding = 0;  // for DRAM
  int64_t begin = 0;
  int64_t end = 0;
  int64_t period = 0;  // 0: all bytes
  int64_t phase = 0;
  int64_t length = 0;

  bool SameMemory(const MemoryRange& other) const {
    return space == other.space && binding == other.binding;
  }
  bool Overlaps(const MemoryRange& other) const {
    if (!SameMemory(other) || begin >= other.end || other.begin >= end) return false;
    if (period == 0 || period != other.period) return true;
    const int64_t gap = PhaseFrom(other);
    return gap < length || period - gap < other.length;
  }
  bool Contains(const MemoryRange& other) const {
    if (!SameMemory(other) || begin > other.begin || other.end > end) return false;
    if (period == 0) return true;
    return period == other.period && PhaseFrom(other) + other.length <= length;
  }
  // The same of the part of `other` that stands in [from, to).
  bool ContainsWithin(const MemoryRange& other, int64_t from, int64_t to) const {
    if (!SameMemory(other) || begin > std::max(other.begin, from) || std::min(other.end, to) > end)
      return false;
    if (period == 0) return true;
    return period == other.period && PhaseFrom(other) + other.length <= length;
  }
  bool operator==(const MemoryRange&) const = default;

 private:
  int64_t PhaseFrom(const MemoryRange& other) const {
    const int64_t gap = other.phase - phase;
    return gap < 0 ? gap + period : gap;
  }
};

inline MemoryRange ScratchpadRange(int64_t begin, int64_t bytes) {
  return {MemoryRange::Space::kScratchpad, 0, begin, begin + bytes};
}
inline MemoryRange AccumulatorRange(int64_t begin, int64_t rows) {
  return {MemoryRange::Space::kAccumulators, 0, begin, begin + rows};
}
inline MemoryRange DramRange(uint32_t binding, int64_t begin, int64_t bytes) {
  return {MemoryRange::Space::kDram, binding, begin, begin + bytes};
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_MEMORY_RANGE_H_
