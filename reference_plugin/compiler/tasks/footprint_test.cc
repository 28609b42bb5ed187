// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/footprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace acme::compiler {
namespace {

using testing::ElementsAre;

Task WithFootprint(Task task) {
  EngineState state;
  SetFootprint(task, state, *BuiltinHardware("acme_a1"));
  return task;
}

TEST(SetFootprint, OfACopyIsItsBytes) {
  const Task task =
      WithFootprint({.work = isa::LdCopy{.binding = 2, .dram = 128, .spm = 64, .bytes = 256},
                     .reads = {ScratchpadRange(0, 1)}});
  EXPECT_THAT(task.reads, ElementsAre(DramRange(2, 128, 256))) << "what stood there is replaced";
  EXPECT_THAT(task.writes, ElementsAre(ScratchpadRange(64, 256)));
}

// The field holds the address modulo 2^32; the footprint is of the whole one, as is its phase.
TEST(SetFootprint, BeyondAFieldIsOfTheWholeAddress) {
  constexpr int64_t kPeriod = SymbolicAddresses::kPeriod;
  Task task = {.work = isa::LdCopy{.binding = 2, .dram = 128, .spm = 640, .bytes = 256},
               .symbols = {.lasting_end = 128, .end = 2 * kPeriod + 1024}};
  EXPECT_THAT(WithFootprint(task).writes, ElementsAre(ScratchpadRange(2 * kPeriod + 640, 256)));
  task.symbols.end = 2 * kPeriod + 512;
  EXPECT_THAT(WithFootprint(task).writes, ElementsAre(ScratchpadRange(kPeriod + 640, 256)));
  task.symbols.lasting_end = 704;
  EXPECT_THAT(WithFootprint(task).writes, ElementsAre(ScratchpadRange(640, 256))) << "a value's";
}

// Two channels of four pixels of eight, from channel 4 on: of 26 bytes those whose place in a pixel
// is 4 or 5. The result is dense.
TEST(SetFootprint, OfSomeChannelsRepeatsByPixel) {
  const Task task = WithFootprint(
      {.config = {isa::VShape{.n0 = 2, .n1 = 4, .n2 = 1, .n3 = 1},
                  isa::VView{.view = View::kDst, .s0 = 1, .s1 = 2},
                  isa::VView{.view = View::kA, .s0 = 1, .s1 = 8}},
       .work = isa::VUnary{.op = UnaryOp::kCopy, .dtype = Dtype::kI8, .dst = 512, .a = 68}});
  MemoryRange channels = ScratchpadRange(68, 26);
  channels.period = 8;
  channels.phase = 4;
  channels.length = 2;
  EXPECT_THAT(task.reads, ElementsAre(channels));
  EXPECT_THAT(task.writes, ElementsAre(ScratchpadRange(512, 8)));
}

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
