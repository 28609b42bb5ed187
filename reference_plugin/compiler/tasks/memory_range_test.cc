// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/memory_range.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

TEST(MemoryRangeTest, ChannelsOfPixelsOverlapByPhase) {
  const auto channels = [](int64_t first, int64_t count) {
    MemoryRange range = ScratchpadRange(first, 1000);
    range.period = 96;
    range.phase = first % 96;
    range.length = count;
    return range;
  };
  EXPECT_FALSE(channels(0, 32).Overlaps(channels(32, 32)));
  EXPECT_TRUE(channels(0, 33).Overlaps(channels(32, 32)));
  EXPECT_TRUE(channels(64, 40).Overlaps(channels(0, 32)));  // into the next pixel
  EXPECT_TRUE(channels(0, 32).Overlaps(ScratchpadRange(500, 4)));
}

TEST(MemoryRangeTest, OfAnotherThePartWithinAPage) {
  const MemoryRange old = ScratchpadRange(100, 300);  // to 400
  const MemoryRange now = ScratchpadRange(200, 100);
  EXPECT_FALSE(now.Contains(old));
  EXPECT_TRUE(now.ContainsWithin(old, 200, 300));
  EXPECT_FALSE(now.ContainsWithin(old, 199, 300));
  EXPECT_FALSE(now.ContainsWithin(old, 200, 301));
  EXPECT_TRUE(ScratchpadRange(100, 100).ContainsWithin(old, 0, 200)) << "nothing before it begins";
  EXPECT_FALSE(now.ContainsWithin(AccumulatorRange(200, 100), 200, 300));
  MemoryRange channels = now;
  channels.period = 10;
  channels.phase = 2;
  channels.length = 4;
  EXPECT_FALSE(channels.ContainsWithin(old, 200, 300)) << "only some channels";
  MemoryRange fewer = old;
  fewer.period = 10;
  fewer.phase = 3;
  fewer.length = 3;
  EXPECT_TRUE(channels.ContainsWithin(fewer, 200, 300));
}

}  // namespace
}  // namespace acme::compiler
