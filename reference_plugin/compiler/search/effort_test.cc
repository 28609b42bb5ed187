// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/search/effort.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/tests/touching_task.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {
namespace {

constexpr int64_t kBytes = 64;

// Values that the vector engine makes faster than the store engine takes them: the further tasks are moved,
// the more of them are there at a time.
LoweredEffort ManyStoredValues(int count) {
  LoweredEffort effort;
  std::vector<TouchingTask> tasks;
  for (int i = 0; i < count; ++i) {
    const int64_t at = AddBuffer(kBytes, effort.lowered.buffers);
    tasks.push_back(
        Touching(isa::VDrain{.acc = 0, .dst = U(at)}, {}, {ScratchpadRange(at, kBytes)}));
    effort.costs.push_back({1, 0, Engine::kVector});
    tasks.push_back(
        Touching(isa::StCopy{.binding = 2, .dram = U(i * kBytes), .spm = U(at), .bytes = U(kBytes)},
                 {ScratchpadRange(at, kBytes)}, {DramRange(2, i * kBytes, kBytes)}));
    effort.costs.push_back({100, 0, Engine::kStore});
  }
  effort.lowered.tasks = TasksOf(tasks);
  const Footprints footprints = FootprintsOf(tasks);
  effort.uses = FindBufferUses(effort.lowered.tasks, footprints, effort.lowered.buffers);
  effort.dependencies = FindDependencies(footprints);
  return effort;
}

// Wherever one looks first.
TEST(PlanTasks, TheWidestWindowThatFitsIsFoundFromAnyLikelyOne) {
  constexpr size_t kWidest = 64;
  const LoweredEffort effort = ManyStoredValues(200);
  std::vector<size_t> windows;
  for (const int64_t values : {2, 4, 9, 17, 64}) {
    Hardware hardware = *BuiltinHardware("acme_a0");
    hardware.scratchpad_bytes = values * kBytes;
    const std::optional<PlannedTasks> expected = PlanTasks(effort, kWidest, hardware);
    ASSERT_TRUE(expected) << values;
    windows.push_back(expected->window);
    for (const size_t likely : {1, 3, 16, 64, 1000}) {
      const std::optional<PlannedTasks> found = PlanTasks(effort, kWidest, hardware, likely);
      ASSERT_TRUE(found) << values;
      EXPECT_EQ(found->window, expected->window) << values << " from " << likely;
      EXPECT_EQ(found->order, expected->order) << values << " from " << likely;
    }
  }
  EXPECT_EQ(windows, (std::vector<size_t>{2, 4, 16, 32, 64}));
}

TEST(PlanTasks, NothingIsFoundWhereOneTaskNeedsTooMuch) {
  Hardware hardware = *BuiltinHardware("acme_a0");
  hardware.scratchpad_bytes = kBytes / 2;
  for (const size_t likely : {0, 1, 8})
    EXPECT_FALSE(PlanTasks(ManyStoredValues(20), 64, hardware, likely)) << likely;
}

}  // namespace
}  // namespace acme::compiler
