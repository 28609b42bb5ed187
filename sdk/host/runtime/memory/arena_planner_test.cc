// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/memory/arena_planner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace npukit {
namespace {

using ::testing::ElementsAre;

// Any two blocks that live at the same step must not share a byte.
void ExpectValid(const std::vector<ArenaBlock>& blocks, const ArenaLayout& layout) {
  ASSERT_EQ(layout.offsets_bytes.size(), blocks.size());
  uint64_t end = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size_bytes == 0) continue;
    EXPECT_EQ(layout.offsets_bytes[i] % blocks[i].alignment_bytes, 0u) << "block " << i;
    end = std::max(end, layout.offsets_bytes[i] + blocks[i].size_bytes);
    for (size_t j = 0; j < i; ++j) {
      if (blocks[j].size_bytes == 0) continue;
      const bool live_together = blocks[i].first_step <= blocks[j].last_step &&
                                 blocks[j].first_step <= blocks[i].last_step;
      const bool overlap =
          layout.offsets_bytes[i] < layout.offsets_bytes[j] + blocks[j].size_bytes &&
          layout.offsets_bytes[j] < layout.offsets_bytes[i] + blocks[i].size_bytes;
      EXPECT_FALSE(live_together && overlap) << "blocks " << i << " and " << j;
    }
  }
  EXPECT_EQ(layout.peak_bytes, end);
}

// The smallest peak over all orders of placing each block at the lowest free offset. An optimal
// layout can always be got that way: place its blocks in the order of their offsets.
uint64_t BruteForcePeak(const std::vector<ArenaBlock>& blocks) {
  std::vector<size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  uint64_t best = UINT64_MAX;
  do {
    std::vector<uint64_t> offsets(blocks.size());
    uint64_t peak = 0;
    for (size_t at = 0; at < order.size(); ++at) {
      const ArenaBlock& block = blocks[order[at]];
      uint64_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (size_t before = 0; before < at; ++before) {
          const ArenaBlock& other = blocks[order[before]];
          if (block.first_step > other.last_step || other.first_step > block.last_step) continue;
          const uint64_t other_offset = offsets[order[before]];
          if (offset < other_offset + other.size_bytes &&
              other_offset < offset + block.size_bytes) {
            offset = (other_offset + other.size_bytes + block.alignment_bytes - 1) /
                     block.alignment_bytes * block.alignment_bytes;
            moved = true;
          }
        }
      }
      offsets[order[at]] = offset;
      peak = std::max(peak, offset + block.size_bytes);
    }
    best = std::min(best, peak);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(ArenaPlanner, NothingToPlace) {
  EXPECT_EQ(PlanArena({}).peak_bytes, 0u);
  const std::vector<ArenaBlock> empty = {{.size_bytes = 0, .first_step = 0, .last_step = 9}};
  const ArenaLayout layout = PlanArena(empty);
  EXPECT_EQ(layout.peak_bytes, 0u);
  EXPECT_THAT(layout.offsets_bytes, ElementsAre(0));
}

TEST(ArenaPlanner, AChainNeedsTwoNeighbours) {
  // 0 -> 1 -> 2 -> 3, each read by the next step only.
  const std::vector<ArenaBlock> blocks = {{.size_bytes = 128, .first_step = 0, .last_step = 1},
                                          {.size_bytes = 256, .first_step = 1, .last_step = 2},
                                          {.size_bytes = 192, .first_step = 2, .last_step = 3},
                                          {.size_bytes = 64, .first_step = 3, .last_step = 4}};
  const ArenaLayout layout = PlanArena(blocks);
  ExpectValid(blocks, layout);
  EXPECT_THAT(layout.offsets_bytes, ElementsAre(256, 0, 256, 0));
  EXPECT_EQ(layout.peak_bytes, 448u);
  EXPECT_EQ(IdealArenaBytes(blocks), 448u);
}

TEST(ArenaPlanner, AResidualStaysWhileTheBranchRuns) {
  const std::vector<ArenaBlock> blocks = {
      {.size_bytes = 64, .first_step = 0, .last_step = 3},  // the shortcut
      {.size_bytes = 128, .first_step = 1, .last_step = 2},
      {.size_bytes = 64, .first_step = 2, .last_step = 3},
      {.size_bytes = 64, .first_step = 3, .last_step = 4}};
  const ArenaLayout layout = PlanArena(blocks);
  ExpectValid(blocks, layout);
  EXPECT_THAT(layout.offsets_bytes, ElementsAre(128, 0, 192, 0));
  EXPECT_EQ(layout.peak_bytes, 256u);
}

TEST(ArenaPlanner, TakesTheTightestGap) {
  // Two gaps are free at step 2, of 64 and 192 bytes: the 64-byte block takes the small one.
  const std::vector<ArenaBlock> blocks = {{.size_bytes = 512, .first_step = 0, .last_step = 9},
                                          {.size_bytes = 448, .first_step = 0, .last_step = 1},
                                          {.size_bytes = 384, .first_step = 0, .last_step = 9},
                                          {.size_bytes = 64, .first_step = 2, .last_step = 3},
                                          {.size_bytes = 384, .first_step = 2, .last_step = 2}};
  const ArenaLayout layout = PlanArena(blocks);
  ExpectValid(blocks, layout);
  EXPECT_EQ(layout.peak_bytes, IdealArenaBytes(blocks));
  EXPECT_THAT(layout.offsets_bytes, ElementsAre(0, 512, 960, 896, 512));
}

TEST(ArenaPlanner, HonoursAlignmentOfEachBlock) {
  const std::vector<ArenaBlock> blocks = {
      {.size_bytes = 100, .first_step = 0, .last_step = 1, .alignment_bytes = 64},
      {.size_bytes = 50, .first_step = 0, .last_step = 1, .alignment_bytes = 4096},
      {.size_bytes = 10, .first_step = 0, .last_step = 1, .alignment_bytes = 1}};
  const ArenaLayout layout = PlanArena(blocks);
  ExpectValid(blocks, layout);
  EXPECT_THAT(layout.offsets_bytes, ElementsAre(64, 0, 50));
}

TEST(ArenaPlanner, IsNeverFarFromTheBruteForceOptimum) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const int count = 2 + static_cast<int>(random() % 6);
    std::vector<ArenaBlock> blocks;
    for (int i = 0; i < count; ++i) {
      const int first = static_cast<int>(random() % 8);
      blocks.push_back({.size_bytes = 64 * (1 + random() % 16),
                        .first_step = first,
                        .last_step = first + static_cast<int>(random() % 4)});
    }
    SCOPED_TRACE(round);
    const ArenaLayout layout = PlanArena(blocks);
    ExpectValid(blocks, layout);
    const uint64_t optimum = BruteForcePeak(blocks);
    EXPECT_LE(IdealArenaBytes(blocks), optimum);
    EXPECT_GE(layout.peak_bytes, optimum);
    EXPECT_LE(static_cast<double>(layout.peak_bytes), 1.3 * static_cast<double>(optimum));
  }
}

// Networks: chains with shortcuts and scratch memory, sizes over four orders of magnitude.
TEST(ArenaPlanner, StaysWithinTheBoundOnNetworks) {
  std::mt19937 random(11);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    const int steps = 10 + static_cast<int>(random() % 120);
    std::vector<ArenaBlock> blocks;
    for (int step = 0; step < steps; ++step) {
      const int shortcut = random() % 4 == 0 ? static_cast<int>(random() % 6) : 0;
      blocks.push_back({.size_bytes = 1 + (random() % 1000) * (random() % 100),
                        .first_step = step,
                        .last_step = std::min(steps, step + 1 + shortcut)});
      if (random() % 3 == 0) {
        blocks.push_back(
            {.size_bytes = 1 + random() % 50000, .first_step = step, .last_step = step});
      }
    }
    SCOPED_TRACE(round);
    const ArenaLayout layout = PlanArena(blocks);
    ExpectValid(blocks, layout);
    worst = std::max(worst, static_cast<double>(layout.peak_bytes) /
                                static_cast<double>(IdealArenaBytes(blocks)));
  }
  EXPECT_LE(worst, 1.3);
  RecordProperty("worst_ratio", fmt::format("{}", worst));
}

TEST(ArenaPlanner, GivesTheSameLayoutAgain) {
  std::mt19937 random(3);
  std::vector<ArenaBlock> blocks;
  for (int i = 0; i < 300; ++i) {
    const int first = static_cast<int>(random() % 300);
    blocks.push_back(
        {.size_bytes = 64 * (random() % 10), .first_step = first, .last_step = first + 3});
  }
  EXPECT_EQ(PlanArena(blocks).offsets_bytes, PlanArena(blocks).offsets_bytes);
}

}  // namespace
}  // namespace npukit
