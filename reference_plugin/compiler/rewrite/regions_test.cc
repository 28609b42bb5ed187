// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"

namespace acme::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// v0 (input) -> v1 -> ... -> output by layers that need no other rows; 64 rows of 1024 bytes each.
Network Chain(size_t layers) {
  Network network;
  for (size_t i = 0; i <= layers; ++i) {
    Value value;
    value.shape = {1, 64, 32, 32};
    network.values.push_back(value);
    if (i == 0) continue;
    auto map = std::make_shared<Map>();
    map->x = static_cast<ValueId>(i) - 1;
    map->row_elems = 1024;
    network.layers.push_back(Layer{.output = static_cast<ValueId>(i), .op = map});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(layers)};
  return network;
}

std::vector<StripRegion> Choose(const Network& network, const RegionLimits& limits) {
  return ChooseRegions(network, std::vector<LayerCycles>(network.layers.size(), {0, 1024}), limits);
}

TEST(ChooseRegions, WhatIsTooLargeForTheScratchpadIsComputedTogether) {
  const RegionLimits limits{.memory_bytes = 66000, .value_bytes = 65535, .weight_bytes = 1000};
  EXPECT_THAT(Choose(Chain(2), limits), ElementsAre(StripRegion{0, 1, 2}));
}

TEST(ChooseRegions, TakesAsFewStepsAsFit) {
  RegionLimits limits{.memory_bytes = 32768, .value_bytes = 10000, .weight_bytes = 1000};
  // Half of the 64 rows are 32 KiB.
  EXPECT_THAT(Choose(Chain(2), limits), ElementsAre(StripRegion{0, 1, 2}));
  limits.memory_bytes = 32767;
  EXPECT_THAT(Choose(Chain(2), limits), ElementsAre(StripRegion{0, 1, 3}));
  limits.memory_bytes = 1023;
  EXPECT_THAT(Choose(Chain(2), limits), IsEmpty()) << "not even one row fits";
}

TEST(ChooseRegions, WhatFitsStaysWhole) {
  EXPECT_THAT(Choose(Chain(2), {.memory_bytes = 200000,
                                .value_bytes = 65536,
                                .weight_bytes = 1000,
                                .dram_bytes_per_cycle = 16}),
              IsEmpty());
}

TEST(ChooseRegions, NothingIsDoneWithoutMemory) {
  EXPECT_THAT(Choose(Chain(3), {.memory_bytes = 0, .value_bytes = 10000}), IsEmpty());
}

TEST(ChooseRegions, AnEmptyNetworkHasNone) { EXPECT_THAT(Choose({}, {}), IsEmpty()); }

}  // namespace
}  // namespace acme::compiler
