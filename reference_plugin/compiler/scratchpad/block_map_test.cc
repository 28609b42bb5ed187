// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/scratchpad/block_map.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace acme::compiler {
namespace {

// The lowest free address by trying every one.
std::optional<int64_t> LowestFree(const std::vector<BlockMap::Block>& blocks, int64_t limit_bytes,
                                  int64_t bytes, int64_t first, int64_t last, int64_t low) {
  for (int64_t at = low; at + bytes <= limit_bytes; ++at) {
    bool free = true;
    for (const BlockMap::Block& block : blocks) {
      free = free && (block.last < first || last < block.first || block.end <= at ||
                      at + bytes <= block.begin);
    }
    if (free) return at;
  }
  return std::nullopt;
}

class BlockMapProperty : public testing::TestWithParam<unsigned> {};

TEST_P(BlockMapProperty, FindsTheLowestFreeAddress) {
  constexpr int64_t kLimitBytes = 60;
  constexpr int64_t kPositions = 500;  // several spans of time
  std::mt19937 random(GetParam());
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(limit));
  };
  BlockMap map(kLimitBytes, kPositions);
  std::vector<BlockMap::Block> blocks;
  for (int i = 0; i < 200; ++i) {
    const int64_t first = below(kPositions);
    const int64_t last =
        std::min(kPositions - 1, first + below(random() % 4 == 0 ? kPositions : 20));
    const int64_t bytes = 1 + below(12);
    const int64_t low = random() % 2 == 0 ? below(kLimitBytes) : 0;
    const auto found = map.Find(bytes, first, last, low);
    ASSERT_EQ(found, LowestFree(blocks, kLimitBytes, bytes, first, last, low));
    if (!found) continue;
    blocks.push_back({*found, *found + bytes, first, last});
    map.Add(blocks.back());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BlockMapProperty, testing::Range(0u, 20u));

}  // namespace
}  // namespace acme::compiler
