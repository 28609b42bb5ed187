// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/strip_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/rewrite/tests/image_chain.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {
namespace {

TEST(StripChoices, TheLikeliestBestComeFirstEachOnce) {
  const Hardware hardware = *BuiltinHardware("acme_a0");
  // Images that do not fit the scratchpad.
  const Network network = ImageChain(6, {1, 128, 128, 32});
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
