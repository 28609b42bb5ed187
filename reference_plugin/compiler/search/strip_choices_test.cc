// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/strip_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {
namespace {

// Functions of images, one of the other, that do not fit the scratchpad of acme_a0.
Network Functions(size_t layers) {
  Network network;
  for (size_t i = 0; i <= layers; ++i) {
    Value value;
    value.shape = {1, 128, 128, 32};
    network.values.push_back(value);
    if (i == 0) continue;
    auto map = std::make_shared<Map>();
    map->x = static_cast<ValueId>(i) - 1;
    map->row_elems = 4096;
    network.layers.push_back(Layer{.output = static_cast<ValueId>(i), .op = map});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(layers)};
  return network;
}

TEST(StripChoices, TheLikeliestBestComeFirstEachOnce) {
  const Hardware hardware = *BuiltinHardware("acme_a0");
  const Network network = Functions(6);
  const std::unique_ptr<RegionCosts> costs = CostsOfRegions(network, hardware);
  const Effort effort = kEfforts[0];
  const std::vector<StripRegion> regions = RegionsFor(*costs, effort, hardware);
  const std::vector<StripChoice> choices = OtherChoices(*costs, effort, regions, hardware);
  ASSERT_GT(choices.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(choices, {}, &StripChoice::cycles));
  std::vector<std::vector<StripRegion>> all = {regions};
  for (const StripChoice& choice : choices) {
    EXPECT_THAT(all, testing::Not(testing::Contains(choice.regions)));
    all.push_back(choice.regions);
  }
}

}  // namespace
}  // namespace acme::compiler
