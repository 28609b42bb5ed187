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

}  // namespace
}  // namespace acme::compiler
