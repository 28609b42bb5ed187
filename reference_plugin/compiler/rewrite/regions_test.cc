// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/rewrite/tests/image_chain.h"

namespace acme::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// 64 rows of 1024 bytes each.
Network Chain(size_t layers) { return ImageChain(layers, {1, 64, 32, 32}); }

RegionCosts CostsOf(const Network& network, const RegionLimits& limits) {
  return {network, std::vector<LayerCycles>(network.layers.size(), {0, 1024}), limits};
}

std::vector<StripRegion> Choose(const Network& network, const RegionLimits& limits,
                                int64_t memory_bytes) {
  RegionCosts costs = CostsOf(network, limits);
  return ChooseRegions(costs, memory_bytes);
}

TEST(ChooseRegions, WhatIsTooLargeForTheScratchpadIsComputedTogether) {
  const RegionLimits limits{.value_bytes = 65535, .weight_bytes = 1000};
  EXPECT_THAT(Choose(Chain(2), limits, 66000), ElementsAre(StripRegion{0, 1, 2}));
}

// Half of the 64 rows are 32 KiB.
TEST(ChooseRegions, TakesAsFewStepsAsFit) {
  const RegionLimits limits{.value_bytes = 10000, .weight_bytes = 1000};
  EXPECT_THAT(Choose(Chain(2), limits, 32768), ElementsAre(StripRegion{0, 1, 2}));
  EXPECT_THAT(Choose(Chain(2), limits, 32767), ElementsAre(StripRegion{0, 1, 3}));
  EXPECT_THAT(Choose(Chain(2), limits, 1023), IsEmpty()) << "not even one row fits";
}

TEST(ChooseRegions, WhatWasAskedBeforeChangesNothing) {
  const Network network = Chain(5);
  const RegionLimits limits{.value_bytes = 10000, .weight_bytes = 1000};
  RegionCosts costs = CostsOf(network, limits);
  for (int64_t memory_bytes : {32768, 1023, 9000, 32767, 32768}) {
    RegionCosts fresh = CostsOf(network, limits);
    EXPECT_EQ(ChoosePipelines(costs, 4, memory_bytes), ChoosePipelines(fresh, 4, memory_bytes));
    EXPECT_EQ(ChooseRegions(costs, memory_bytes), Choose(network, limits, memory_bytes));
  }
}

// By a layer of the array and one of the lanes, of 1024 cycles each: in s steps the one waits for a step of the
// other, and each step costs 60 cycles a layer. Of 1024 + 1024 / s + 120 (s - 1), s = 3 gives the least.
class OfTwoEngines : public testing::Test {
 protected:
  Network network_ = Chain(2);
  RegionCosts costs_{network_,
                     {{1024, 0}, {0, 1024}},
                     {.value_bytes = 100000,
                      .weight_bytes = 1000,
                      .dram_bytes_per_cycle = 1 << 20,
                      .copy_bytes_per_cycle = 1 << 20}};
};

TEST_F(OfTwoEngines, StepsKeepBothBusy) {
  EXPECT_THAT(ChooseRegions(costs_, 1 << 20), IsEmpty()) << "all stays whole";
  EXPECT_THAT(ChooseRegions(costs_, 1 << 20, StepsFor::kEngines),
              ElementsAre(StripRegion{0, 1, 3}));
}

TEST_F(OfTwoEngines, StepsAreAsManyAsFitBesideTheInput) {
  EXPECT_THAT(ChooseRegions(costs_, 65536 + 65536 / 8, StepsFor::kEngines),
              ElementsAre(StripRegion{0, 1, 8}));
}

TEST_F(OfTwoEngines, EstimatesFollowTheSteps) {
  EXPECT_NEAR(EstimateCycles(costs_, {}, 1 << 20), 2048, 1);
  for (const int32_t steps : {2, 3, 8}) {
    const std::vector<StripRegion> regions = {{0, 1, steps}};
    EXPECT_NEAR(EstimateCycles(costs_, regions, 1 << 20), 1024 + 1024.0 / steps + 120 * (steps - 1),
                1);
  }
}

TEST(ChoosePipelines, AreOfAsManyLayersAsAsked) {
  const Network network = Chain(7);
  RegionCosts costs = CostsOf(network, {.value_bytes = 10000, .weight_bytes = 1000});
  EXPECT_THAT(ChoosePipelines(costs, 2, 200000), ElementsAre(StripRegion{0, 6, 2}));
  EXPECT_THAT(ChoosePipelines(costs, 2, 200000, 3),
              ElementsAre(StripRegion{0, 2, 2}, StripRegion{3, 5, 2}));
}

TEST(ChooseRegions, WhatFitsStaysWhole) {
  const RegionLimits limits{.value_bytes = 65536, .weight_bytes = 1000, .dram_bytes_per_cycle = 16};
  EXPECT_THAT(Choose(Chain(2), limits, 200000), IsEmpty());
}

TEST(ChooseRegions, NothingIsDoneWithoutMemory) {
  EXPECT_THAT(Choose(Chain(3), {.value_bytes = 10000}, 0), IsEmpty());
}

TEST(ChooseRegions, AnEmptyNetworkHasNone) { EXPECT_THAT(Choose({}, {}, 0), IsEmpty()); }

}  // namespace
}  // namespace acme::compiler
