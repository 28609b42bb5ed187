// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/lower/binary.h"

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
    const auto op = std::make_shared<Binary>();
    op->a.value = op->b.value = static_cast<ValueId>(i - 1);
    network.layers.push_back(Layer{.output = static_cast<ValueId>(i), .op = op});
  }
  network.values.front().input_index = 0;
  network.values.back().output_index = 0;
  network.inputs = {0};
  network.outputs = {static_cast<ValueId>(bytes.size() - 1)};
  return network;
}

Hardware WithScratchpad(int64_t bytes) {
  Hardware hardware;
  hardware.scratchpad_bytes = bytes;
  return hardware;
}

TEST(PlacementTest, DeadValuesMakeRoom) {
  const Placement placement = PlanPlacement(Chain({100, 200, 100, 50}), WithScratchpad(1024));
  // v1 lives beside v0 and v2; v2 takes v0's place; v3 fits behind v2.
  EXPECT_EQ(placement.values[0].scratchpad_offset, 0);
  EXPECT_EQ(placement.values[1].scratchpad_offset, 128);
  EXPECT_EQ(placement.values[2].scratchpad_offset, 0);
  EXPECT_EQ(placement.values[3].scratchpad_offset, 128);
  EXPECT_EQ(placement.workspace_bytes, 0);
  EXPECT_EQ(placement.stream_begin, 128 + 256);
  EXPECT_EQ(placement.stream_end, 1024);
}

TEST(PlacementTest, InputsAndOutputsHaveBindings) {
  const Placement placement = PlanPlacement(Chain({64, 64, 64}), WithScratchpad(1024));
  EXPECT_EQ(placement.values[0].dram, (DramPlace{kFirstIoBinding, 0}));
  EXPECT_EQ(placement.values[1].dram, std::nullopt);
  EXPECT_EQ(placement.values[2].dram, (DramPlace{kFirstIoBinding + 1, 0}));
}

TEST(PlacementTest, WhatDoesNotFitGoesToTheWorkspace) {
  const Placement placement = PlanPlacement(Chain({64, 600, 700, 64}), WithScratchpad(1024));
  EXPECT_EQ(placement.values[1].scratchpad_offset, std::nullopt);
  EXPECT_EQ(placement.values[1].dram, (DramPlace{kWorkspaceBinding, 0}));
  EXPECT_EQ(placement.values[2].dram, (DramPlace{kWorkspaceBinding, 640}));
  EXPECT_EQ(placement.workspace_bytes, 640 + 704);
  EXPECT_GE(placement.stream_end - placement.stream_begin, 512);
}

}  // namespace
}  // namespace acme::compiler
