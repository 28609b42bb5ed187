// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/memory/arena_planner.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

namespace npukit {
namespace {

uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool LiveTogether(const ArenaBlock& a, const ArenaBlock& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

// Sum of the live sizes at each step, by the steps at which something is born or dies.
struct Pressure {
  std::vector<int32_t> steps;       // ascending
  std::vector<uint64_t> sum_bytes;  // from steps[i] up to, but without, steps[i + 1]

  explicit Pressure(std::span<const ArenaBlock> blocks) {
    std::vector<std::pair<int64_t, int64_t>> changes;  // step, change in bytes
    for (const ArenaBlock& block : blocks) {
      if (block.size_bytes == 0) continue;
      changes.emplace_back(block.first_step, static_cast<int64_t>(block.size_bytes));
      // In 64 bits: a block may live to the largest step.
      changes.emplace_back(int64_t{block.last_step} + 1, -static_cast<int64_t>(block.size_bytes));
    }
    std::sort(changes.begin(), changes.end());
    int64_t sum = 0;
    for (size_t i = 0; i < changes.size(); ++i) {
      sum += changes[i].second;
      if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
      steps.push_back(static_cast<int32_t>(changes[i].first));
      sum_bytes.push_back(static_cast<uint64_t>(sum));
    }
  }

  uint64_t Max() const {
    return sum_bytes.empty() ? 0 : *std::max_element(sum_bytes.begin(), sum_bytes.end());
  }

  // Largest sum while the block lives.
  uint64_t MaxDuring(const ArenaBlock& block) const {
    auto at = std::upper_bound(steps.begin(), steps.end(), block.first_step) - steps.begin() - 1;
    uint64_t largest = 0;
    for (auto i = static_cast<size_t>(at); i < steps.size() && steps[i] <= block.last_step; ++i) {
      largest = std::max(largest, sum_bytes[i]);
    }
    return largest;
  }
};

// Places the blocks in this order.
ArenaLayout PlaceInOrder(std::span<const ArenaBlock> blocks, std::span<const size_t> order) {
  ArenaLayout layout;
  layout.offsets_bytes.resize(blocks.size());
  std::vector<size_t> placed;  // by ascending offset
  for (size_t index : order) {
    const ArenaBlock& block = blocks[index];
    // Highest end of the placed blocks seen so far that live together with this one.
    uint64_t end_of_lower = 0;
    uint64_t best_offset = UINT64_MAX;
    uint64_t best_waste = UINT64_MAX;
    for (size_t other : placed) {
      if (!LiveTogether(block, blocks[other])) continue;
      const uint64_t offset = AlignUp(end_of_lower, block.alignment_bytes);
      const uint64_t other_offset = layout.offsets_bytes[other];
      if (offset + block.size_bytes <= other_offset) {
        const uint64_t waste = other_offset - end_of_lower - block.size_bytes;
        if (waste < best_waste) std::tie(best_offset, best_waste) = std::pair(offset, waste);
      }
      end_of_lower = std::max(end_of_lower, other_offset + blocks[other].size_bytes);
    }
    if (best_offset == UINT64_MAX) best_offset = AlignUp(end_of_lower, block.alignment_bytes);
    layout.offsets_bytes[index] = best_offset;
    layout.peak_bytes = std::max(layout.peak_bytes, best_offset + block.size_bytes);
    const auto position = std::upper_bound(
        placed.begin(), placed.end(), best_offset,
        [&](uint64_t offset, size_t at) { return offset < layout.offsets_bytes[at]; });
    placed.insert(position, index);
  }
  return layout;
}

}  // namespace

ArenaLayout PlanArena(std::span<const ArenaBlock> blocks) {
  std::vector<size_t> filled;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size_bytes != 0) filled.push_back(i);
  }
  const Pressure pressure(blocks);
  std::vector<uint64_t> pressure_of(blocks.size());
  for (size_t i : filled) pressure_of[i] = pressure.MaxDuring(blocks[i]);
  auto lifetime = [&](size_t i) {
    return static_cast<double>(blocks[i].last_step) - blocks[i].first_step + 1;
  };

  ArenaLayout best;
  best.offsets_bytes.resize(blocks.size());
  best.peak_bytes = UINT64_MAX;
  // Each order is a key to sort by; ties go by age, then by index.
  auto consider = [&](auto key) {
    // Near enough; another order costs as much as this one did.
    if (best.peak_bytes <= pressure.Max() + pressure.Max() / 50) return;
    std::vector<size_t> order = filled;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::tuple(key(a), blocks[a].first_step, a) <
             std::tuple(key(b), blocks[b].first_step, b);
    });
    ArenaLayout layout = PlaceInOrder(blocks, order);
    if (layout.peak_bytes < best.peak_bytes) best = std::move(layout);
  };
  consider([&](size_t i) { return -static_cast<double>(blocks[i].size_bytes); });
  consider([&](size_t i) { return -static_cast<double>(blocks[i].size_bytes) * lifetime(i); });
  consider([&](size_t i) {
    return std::pair(-static_cast<double>(pressure_of[i]),
                     -static_cast<double>(blocks[i].size_bytes));
  });
  consider([&](size_t i) {
    return std::pair(-static_cast<double>(blocks[i].alignment_bytes),
                     -static_cast<double>(blocks[i].size_bytes));
  });
  consider([&](size_t i) {
    return std::pair(-lifetime(i), -static_cast<double>(blocks[i].size_bytes));
  });
  consider([&](size_t i) {
    return std::pair(blocks[i].first_step, -static_cast<double>(blocks[i].size_bytes));
  });
  if (filled.empty()) best.peak_bytes = 0;
  return best;
}

uint64_t IdealArenaBytes(std::span<const ArenaBlock> blocks) { return Pressure(blocks).Max(); }

}  // namespace npukit
