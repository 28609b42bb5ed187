// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/memory/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace npukit {
namespace {

using ::testing::ElementsAre;

// A kernel that computes nothing, with a demand for scratch memory.
class IdleKernel : public kernels::Kernel {
 public:
  IdleKernel(size_t scratch_bytes, int in_place_input) {
    scratch_bytes_ = scratch_bytes;
    in_place_input_ = in_place_input;
  }
  litert::Expected<void> Run(const kernels::RunContext&) const override { return {}; }
};

// Values of these sizes; steps are added by hand.
struct PlanMaker {
  ExecutionPlan plan;
  std::vector<ValueRequirements> requirements;

  explicit PlanMaker(const std::vector<uint64_t>& sizes_bytes) : requirements(sizes_bytes.size()) {
    for (uint64_t size : sizes_bytes) plan.values.emplace_back().size_bytes = size;
  }
  void Step(std::vector<int> inputs, std::vector<int> outputs, int in_place_input = -1,
            size_t scratch_bytes = 0) {
    PlanStep& step = plan.steps.emplace_back();
    step.inputs = std::move(inputs);
    step.outputs = std::move(outputs);
    step.kernel = std::make_unique<IdleKernel>(scratch_bytes, in_place_input);
  }
  MemoryPlan Plan(bool keep_all = false) { return PlanMemory(plan, requirements, keep_all); }
};

TEST(MemoryPlan, InputsAndOutputsLastChainsShare) {
  PlanMaker p({64, 640, 640, 640, 64});
  p.plan.inputs = {0};
  p.plan.outputs = {4};
  p.Step({0}, {1});
  p.Step({1}, {2});
  p.Step({2}, {3});
  p.Step({3}, {4});
  const MemoryPlan memory = p.Plan();
  // Values 1 and 3 never meet; 0 lives always.
  EXPECT_EQ(memory.arena_bytes, 64u + 640 + 640);
  EXPECT_EQ(memory.ideal_arena_bytes, 64u + 640 + 640);
  EXPECT_EQ(memory.value_offset_bytes[1], memory.value_offset_bytes[3]);
}

TEST(MemoryPlan, WhatAnAsynchronousStepTouchesLastsUntilItHasEnded) {
  PlanMaker p({64, 640, 640, 640, 64});
  p.plan.inputs = {0};
  p.plan.outputs = {4};
  p.Step({0}, {1});
  p.Step({1}, {2});  // under way during the next one
  p.Step({0}, {3});
  p.Step({2, 3}, {4});
  EXPECT_EQ(p.Plan().value_offset_bytes[1], p.Plan().value_offset_bytes[3]);
  const AsyncSchedule schedule{.join_before = {1, 3, 3, 4}};
  const MemoryPlan memory = PlanMemory(p.plan, p.requirements, /*keep_all=*/false, schedule);
  EXPECT_NE(memory.value_offset_bytes[1], memory.value_offset_bytes[3]);
  EXPECT_EQ(memory.arena_bytes, 64u + 3 * 640);
}

TEST(MemoryPlan, ScratchLivesForItsStep) {
  PlanMaker p({64, 64, 64});
  p.plan.inputs = {0};
  p.plan.outputs = {2};
  p.Step({0}, {1}, -1, 1024);
  p.Step({1}, {2}, -1, 2048);
  const MemoryPlan memory = p.Plan();
  EXPECT_EQ(memory.arena_bytes, 3u * 64 + 2048);
  EXPECT_NE(memory.scratch_offset_bytes[1], memory.value_offset_bytes[1]);
}

TEST(MemoryPlan, TakesOverTheMemoryOfADyingInput) {
  PlanMaker p({64, 640, 640, 640});
  p.plan.inputs = {0};
  p.plan.outputs = {3};
  p.Step({0}, {1});
  p.Step({1}, {2}, 0);
  p.Step({2}, {3}, 0);
  const MemoryPlan memory = p.Plan();
  EXPECT_EQ(memory.arena_bytes, 704u);
  EXPECT_THAT(memory.value_offset_bytes, ElementsAre(640, 0, 0, 0));
  EXPECT_EQ(memory.ideal_arena_bytes, 64u + 1280) << "of values that each have their own memory";
}

TEST(MemoryPlan, DoesNotTakeOverWhatIsStillNeeded) {
  {
    PlanMaker p({64, 64});  // a graph input
    p.plan.inputs = {0};
    p.plan.outputs = {1};
    p.Step({0}, {1}, 0);
    EXPECT_EQ(p.Plan().arena_bytes, 128u);
  }
  {
    PlanMaker p({8, 64, 64, 64});  // read again later
    p.plan.inputs = {0};
    p.plan.outputs = {3};
    p.Step({0}, {1});
    p.Step({1}, {2}, 0);
    p.Step({1, 2}, {3});
    EXPECT_NE(p.Plan().value_offset_bytes[1], p.Plan().value_offset_bytes[2]);
  }
  {
    PlanMaker p({8, 64, 64});  // both operands of the step
    p.plan.inputs = {0};
    p.plan.outputs = {2};
    p.Step({0}, {1});
    p.Step({1, 1}, {2}, 0);
    EXPECT_NE(p.Plan().value_offset_bytes[1], p.Plan().value_offset_bytes[2]);
  }
  {
    PlanMaker p({8, 64, 128});  // of another size
    p.plan.inputs = {0};
    p.plan.outputs = {2};
    p.Step({0}, {1});
    p.Step({1}, {2}, 0);
    EXPECT_NE(p.Plan().value_offset_bytes[1], p.Plan().value_offset_bytes[2]);
  }
  {
    PlanMaker p({8, 64, 64});  // registered with a device
    p.plan.inputs = {0};
    p.plan.outputs = {2};
    p.requirements[1].is_shared_with_device = true;
    p.Step({0}, {1});
    p.Step({1}, {2}, 0);
    EXPECT_NE(p.Plan().value_offset_bytes[1], p.Plan().value_offset_bytes[2]);
  }
}

TEST(MemoryPlan, HonoursDemands) {
  PlanMaker p({10, 10, 10});
  p.plan.inputs = {0};
  p.plan.outputs = {2};
  p.requirements[1] = {.size_bytes = 500, .alignment_bytes = 4096, .is_shared_with_device = true};
  p.Step({0}, {1});
  p.Step({1}, {2});
  const MemoryPlan memory = p.Plan();
  EXPECT_EQ(memory.alignment_bytes, 4096u);
  EXPECT_EQ(memory.value_offset_bytes[1] % 4096, 0u);
  EXPECT_EQ(memory.value_size_bytes[1], 500u);
}

TEST(MemoryPlan, KeepsEverythingApartOnRequest) {
  PlanMaker p({64, 64, 64, 64});
  p.plan.inputs = {0};
  p.plan.outputs = {3};
  p.Step({0}, {1}, 0);
  p.Step({1}, {2}, 0);
  p.Step({2}, {3}, 0);
  EXPECT_EQ(p.Plan(/*keep_all=*/true).arena_bytes, 256u);
}

TEST(MemoryPlan, ConstantsAndVariablesLieElsewhere) {
  PlanMaker p({64, 1000, 1000, 64});
  p.plan.values[1].kind = PlanValue::Kind::kConstant;
  p.plan.values[2].kind = PlanValue::Kind::kVariable;
  p.plan.inputs = {0};
  p.plan.outputs = {3};
  p.Step({0, 1, 2}, {3});
  const MemoryPlan memory = p.Plan();
  EXPECT_EQ(memory.arena_bytes, 128u);
  EXPECT_EQ(memory.value_offset_bytes[1], MemoryPlan::kNoOffset);
  EXPECT_EQ(memory.value_offset_bytes[2], MemoryPlan::kNoOffset);
}

}  // namespace
}  // namespace npukit
