// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/task.h"

#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

TEST(RegionTest, ChannelsOfPixelsOverlapByPhase) {
  const auto channels = [](int64_t first, int64_t count) {
    Region region = ScratchpadRegion(first, 1000);
    region.period = 96;
    region.phase = first % 96;
    region.length = count;
    return region;
  };
  EXPECT_FALSE(channels(0, 32).Overlaps(channels(32, 32)));
  EXPECT_TRUE(channels(0, 33).Overlaps(channels(32, 32)));
  EXPECT_TRUE(channels(64, 40).Overlaps(channels(0, 32)));  // into the next pixel
  EXPECT_TRUE(channels(0, 32).Overlaps(ScratchpadRegion(500, 4)));
}

TEST(RegionTest, OfAnotherThePartWithinAPage) {
  const Region old = ScratchpadRegion(100, 300);  // to 400
  const Region now = ScratchpadRegion(200, 100);
  EXPECT_FALSE(now.Contains(old));
  EXPECT_TRUE(now.ContainsWithin(old, 200, 300));
  EXPECT_FALSE(now.ContainsWithin(old, 199, 300));
  EXPECT_FALSE(now.ContainsWithin(old, 200, 301));
  EXPECT_TRUE(ScratchpadRegion(100, 100).ContainsWithin(old, 0, 200)) << "nothing before it begins";
  EXPECT_FALSE(now.ContainsWithin(AccumulatorRegion(200, 100), 200, 300));
  Region channels = now;
  channels.period = 10;
  channels.phase = 2;
  channels.length = 4;
  EXPECT_FALSE(channels.ContainsWithin(old, 200, 300)) << "only some channels";
  Region fewer = old;
  fewer.period = 10;
  fewer.phase = 3;
  fewer.length = 3;
  EXPECT_TRUE(channels.ContainsWithin(fewer, 200, 300));
}

}  // namespace
}  // namespace acme::compiler
