// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/scratchpads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string PathOf(const std::string& variant) {
  return std::string(NPUKIT_TEST_DISPATCH_DIR) + "/" + variant + "/libLiteRtDispatch_TestDevice.so";
}

struct StepOf {
  std::vector<int> inputs;
  std::vector<int> outputs;
};

ExecutionPlan PlanOf(std::vector<StepOf> steps, size_t num_values) {
  ExecutionPlan plan;
  plan.values.resize(num_values);
  for (StepOf& step : steps) {
    PlanStep& made = plan.steps.emplace_back();
    made.inputs = std::move(step.inputs);
    made.outputs = std::move(step.outputs);
  }
  return plan;
}

// 0 -> 1 -> 3 through a step of the CPU's, 2 beside them.
ExecutionPlan Branches() {
  return PlanOf({{{0}, {1}}, {{1}, {2}}, {{0}, {3}}, {{2, kNoValue}, {4}}}, 5);
}

TEST(GroupScratchpads, OneForAllWhereNothingOverlaps) {
  EXPECT_THAT(GroupScratchpads(Branches(), {0, 2, 3}, /*may_overlap=*/false), ElementsAre(0, 0, 0));
}

TEST(GroupScratchpads, WhatMayOverlapHasItsOwnUnlessItWaits) {
  EXPECT_THAT(GroupScratchpads(Branches(), {0, 2, 3}, /*may_overlap=*/true), ElementsAre(0, 1, 0));
  // Nothing waits for anything.
  const ExecutionPlan apart = PlanOf({{{0}, {1}}, {{0}, {2}}, {{0}, {3}}}, 4);
  EXPECT_THAT(GroupScratchpads(apart, {0, 1, 2}, /*may_overlap=*/true), ElementsAre(0, 1, 2));
  EXPECT_THAT(GroupScratchpads(apart, {}, /*may_overlap=*/true), ElementsAre());
}

// A library that notes what is called, and wants ten bytes for each byte of a module.
class ScratchpadsTest : public ::testing::Test {
 protected:
  LoadedInvocation Load(DispatchDevices& devices, std::vector<uint8_t> bytecode) {
    auto loaded = devices.Load({.module = static_cast<BufferStore::Id>(bytecode.size()),
                                .bytecode = bytecode,
                                .entry_point = "main",
                                .num_inputs = 1,
                                .num_outputs = 2});
    EXPECT_TRUE(loaded) << loaded.Error();
    return loaded ? std::move(*loaded) : LoadedInvocation{};
  }
  static std::string Calls(const std::string& variant) {
    const auto library = DispatchLibrary::Load(PathOf(variant));
    EXPECT_TRUE(library) << library.Error();
    return (*library)->Find<const char* (*)()>("TestCalls")();
  }
};

TEST_F(ScratchpadsTest, AreMadeInTheirOrderAndSharedByTheLongest) {
  const std::string before = Calls("220_scratchpads");
  DispatchDevices devices({PathOf("220_scratchpads")});
  Scratchpads scratchpads;
  scratchpads.Add(0, Load(devices, {1, 2, 3}));
  scratchpads.Add(1, Load(devices, {1, 2, 3, 4, 5}));
  EXPECT_EQ(scratchpads.FunctionOf(2), nullptr);
  const ExecutionPlan plan = PlanOf({{{0}, {1}}, {{0}, {2}}}, 3);
  const auto attached = scratchpads.Attach(plan, /*async=*/true, /*max_bytes=*/50);
  ASSERT_TRUE(attached) << attached.Error();
  EXPECT_EQ(scratchpads.size_bytes(), 50u);
  auto invocation = scratchpads.FunctionOf(0)->MakeInvocation(1, 2);
  ASSERT_TRUE(invocation) << invocation.Error();
  EXPECT_TRUE((*invocation)->Close());
  EXPECT_TRUE(scratchpads.Close());
  EXPECT_TRUE(devices.Close());
  // Load and ask, twice; register five tens of bytes, attach to both; a graph of one node with three edges, the context;
  // and back.
  EXPECT_EQ(Calls("220_scratchpads").substr(before.size()), "LQLQR5AAGneiIeoOeoOfCDugll");
}

TEST_F(ScratchpadsTest, MoreThanTheLimitIsAnErrorBeforeItIsAllocated) {
  DispatchDevices devices({PathOf("220_scratchpads")});
  Scratchpads scratchpads;
  scratchpads.Add(0, Load(devices, {1, 2, 3}));
  const auto attached = scratchpads.Attach(PlanOf({{{0}, {1}}}, 2), /*async=*/true, 29);
  ASSERT_FALSE(attached);
  EXPECT_EQ(attached.Error().Status(), kLiteRtStatusErrorMemoryAllocationFailure);
  EXPECT_THAT(attached.Error().Message(), HasSubstr("30 bytes"));
}

// What lies behind the table of a library that was built without them is not theirs, whatever it says.
TEST_F(ScratchpadsTest, AreReadOnlyWhereTheTableHasThem) {
  const auto with = DispatchLibrary::Load(PathOf("220_scratchpads"));
  ASSERT_TRUE(with) << with.Error();
  EXPECT_TRUE((*with)->has_scratchpads());
  const auto without = DispatchLibrary::Load(PathOf("220_says_scratchpads"));
  ASSERT_TRUE(without) << without.Error();
  EXPECT_FALSE((*without)->has_scratchpads());
  EXPECT_EQ((*without)->tables().extras.get_scratchpad_requirements, nullptr);
  DispatchDevices devices({PathOf("220_says_scratchpads")});
  const LoadedInvocation loaded = Load(devices, {1, 2, 3});
  EXPECT_EQ(loaded.function, nullptr);
  ASSERT_NE(loaded.invocation, nullptr);
  EXPECT_TRUE(loaded.invocation->Close());
}

}  // namespace
}  // namespace npukit
