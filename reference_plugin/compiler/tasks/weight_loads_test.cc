// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/weight_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace acme::compiler {
namespace {

using testing::IsEmpty;

constexpr isa::MLoadW kWeights{.addr = 64, .k = 4, .n = 4, .k_stride = 4, .n_stride = 1};

TEST(AppendApart, AStreamsWeightsAreATaskBeforeIt) {
  std::vector<Task> tasks;
  std::vector<TaskCost> costs;
  AppendApart({.handle = 7,
               .config = {isa::MType{}},
               .weights = kWeights,
               .work = isa::MStream{.addr = 128, .m = 8, .row_stride = 4}},
              {.busy_cycles = 9, .tail_cycles = 6}, tasks, costs);
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(OpcodeOf(tasks[0].work), Opcode::kMLoadW);
  EXPECT_EQ(OpcodeOf(tasks[1].work), Opcode::kMStream);
  EXPECT_EQ(tasks[0].config.size(), 1u);
  EXPECT_THAT(tasks[1].config, IsEmpty());
  EXPECT_FALSE(tasks[1].weights);
  EXPECT_EQ(tasks[0].handle, 7u);
  EXPECT_EQ(tasks[1].handle, 7u);
  EXPECT_EQ(costs[0].busy_cycles + costs[0].tail_cycles, 0);
  EXPECT_EQ(costs[1].busy_cycles, 9);
  EXPECT_EQ(costs[1].tail_cycles, 6);
}

TEST(AppendApart, OtherTasksStayOne) {
  std::vector<Task> tasks;
  std::vector<TaskCost> costs;
  AppendApart({.config = {isa::VClamp{}}, .work = isa::VNop{}}, {}, tasks, costs);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].config.size(), 1u);
}

}  // namespace
}  // namespace acme::compiler
