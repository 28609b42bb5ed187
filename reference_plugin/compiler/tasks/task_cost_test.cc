// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/task_cost.h"

#include <gtest/gtest.h>

#include <vector>

namespace acme::compiler {
namespace {

// Of a product with weights of its own, the weights' port and the stream's work side by side.
TEST(EstimateTask, TakesTheLongerOfLoadingWeightsAndTheWork) {
  const Hardware hardware = *BuiltinHardware("acme_a1");
  const int64_t load_cycles = hardware.array_rows / hardware.weight_rows_per_cycle;
  const struct {
    const char* what;
    uint32_t rows;
    bool has_weights;
    int64_t busy_cycles;
  } cases[] = {
      {"a long stream hides its weights", 1000, true, 1000},
      {"a short one waits for them, and a cycle", 2, true, load_cycles + 1},
      {"the weights that are there take none", 2, false, 2},
      {"no rows at all still take the cycle", 0, false, 1},
  };
  EngineState state;
  for (const auto& c : cases) {
    Task task{.config = {isa::MType{.act = Dtype::kI8, .weight = Dtype::kI8}},
              .work = isa::MStream{.m = c.rows, .row_stride = 32, .swap = c.has_weights}};
    if (c.has_weights) task.weights = isa::MLoadW{.k = 32, .n = 32, .k_stride = 32, .n_stride = 1};
    const TaskCost cost = EstimateTask(task, state, hardware);
    EXPECT_EQ(cost.busy_cycles, c.busy_cycles) << c.what;
    EXPECT_GT(cost.tail_cycles, 0) << c.what;
  }
}

// As where nothing was configured: no division by what is not there.
TEST(EstimateTask, OfAnEngineWithoutWeightsOrConfigurationIsACycleAtLeast) {
  for (const char* chip : {"acme_a0", "acme_a1", "acme_a2"}) {
    const Hardware hardware = *BuiltinHardware(chip);
    for (const AnyInstr& work :
         {AnyInstr(isa::MStream{}), AnyInstr(isa::MConv{}), AnyInstr(isa::VUnary{}),
          AnyInstr(isa::VPool{}), AnyInstr(isa::LdNd{}), AnyInstr(isa::LdCopy{}),
          AnyInstr(isa::VNop{})}) {
      EngineState state;
      EXPECT_GE(EstimateTask({.work = work}, state, hardware).busy_cycles, 1) << chip;
    }
  }
}

}  // namespace
}  // namespace acme::compiler
