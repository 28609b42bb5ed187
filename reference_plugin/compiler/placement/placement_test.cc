// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/placement.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

// v0 (input) -> v1 -> v2 -> ... -> output, each of so many bytes.
Network Chain(const std::vector<int32_t>& bytes) {
  Network network;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Value value;
    value.shape = {bytes[i]};
    network.values.push_back(value);
    if (i == 0) continue;
    network.layers.push_back(
        Layer{.output = static_cast<ValueId>(i),
              .op = std::make_shared<StandInOp>(std::vector{static_cast<ValueId>(i - 1)})});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(bytes.size() - 1)};
  return network;
}

TEST(PlacementTest, ValuesThatFitLiveInTheScratchpad) {
  const Placement placement = PlanPlacement(Chain({100, 200, 100, 50}), {384, 64});
  // Symbolic addresses: each behind the one before and a gap.
  EXPECT_EQ(placement.buffers, (std::vector<ScratchpadBuffer>{
                                   {64, 100}, {64 + 192, 200}, {256 + 320, 100}, {576 + 192, 50}}));
  EXPECT_EQ(placement.values[1].scratchpad_offset, 256);
  EXPECT_EQ(placement.workspace_bytes, 0);
  EXPECT_EQ(placement.step_bytes, 64);
}

TEST(PlacementTest, InputsAndOutputsHaveBindings) {
  const Placement placement = PlanPlacement(Chain({64, 64, 64}), {1024, 64});
  EXPECT_EQ(placement.values[0].dram, (DramPlace{kFirstIoBinding, 0}));
  EXPECT_EQ(placement.values[1].dram, std::nullopt);
  EXPECT_EQ(placement.values[2].dram, (DramPlace{kFirstIoBinding + 1, 0}));
}

TEST(PlacementTest, WhatDoesNotFitGoesToTheWorkspace) {
  const Placement placement = PlanPlacement(Chain({64, 600, 700, 64}), {512, 64});
  EXPECT_EQ(placement.values[1].scratchpad_offset, std::nullopt);
  EXPECT_EQ(placement.values[1].dram, (DramPlace{kWorkspaceBinding, 0}));
  EXPECT_EQ(placement.values[2].dram, (DramPlace{kWorkspaceBinding, 640}));
  EXPECT_EQ(placement.workspace_bytes, 640 + 704);
}

// v1, which lives beside them, leaves no room for the larger v2, of which one region alone makes and
// reads rows.
TEST(PlacementTest, StripsGoFirstIfAsked) {
  Network network = Chain({64, 300, 320, 64, 64});
  network.layers[3].op = std::make_shared<StandInOp>(std::vector<ValueId>{1, 3});
  for (size_t i : {1, 2}) network.layers[i].strips = 1;
  const Placement smallest_first = PlanPlacement(network, {512, 64});
  EXPECT_TRUE(smallest_first.values[1].scratchpad_offset);
  EXPECT_FALSE(smallest_first.values[2].scratchpad_offset);
  EXPECT_TRUE(smallest_first.has_strips_in_dram);
  const Placement strips_first = PlanPlacement(network, {512, 64, true});
  EXPECT_FALSE(strips_first.values[1].scratchpad_offset);
  EXPECT_TRUE(strips_first.values[2].scratchpad_offset);
  EXPECT_FALSE(strips_first.has_strips_in_dram);
}

TEST(PlacementTest, ANamedPartOfAValueStandsInItsStorage) {
  Network network = Chain({64, 128, 64, 64});
  network.values[2].base = 1;
  network.values[2].base_offset_bytes = 32;
  network.layers.erase(network.layers.begin() + 1);
  const Placement placement = PlanPlacement(network, {1024, 64});
  EXPECT_EQ(*placement.values[2].scratchpad_offset, *placement.values[1].scratchpad_offset + 32);
  EXPECT_EQ(PlanLifetimes(network, {})[1].last, 1);
}

// Instructions hold the lower 32 bits: no buffer may cross a multiple of 2^32, and `first` bytes behind one are not given out.
TEST(AddBuffer, BeyondWhatAFieldHolds) {
  constexpr int64_t kPeriod = int64_t{1} << 32;
  std::vector<ScratchpadBuffer> buffers = {{64, 64}};
  EXPECT_EQ(EndOf(buffers), 192);
  std::vector<ScratchpadBuffer> almost = {{64, 64}, {kPeriod - 512, 64}};
  EXPECT_EQ(AddBuffer(320, almost, 192), kPeriod - 384) << "to the end";
  EXPECT_EQ(AddBuffer(1, almost, 192), kPeriod + 192);
  EXPECT_EQ(AddBuffer(1, almost, 192), kPeriod + 192 + 128);
  almost = {{64, 64}, {kPeriod - 512, 64}};
  EXPECT_EQ(AddBuffer(321, almost, 192), kPeriod + 192);
  almost = {{3 * kPeriod - 64, 1}};
  EXPECT_EQ(AddBuffer(64, almost, 192), 3 * kPeriod + 192);
}

}  // namespace
}  // namespace acme::compiler
