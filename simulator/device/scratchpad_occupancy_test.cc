// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/scratchpad_occupancy.h"

#include <gtest/gtest.h>

#include "simulator/device/testing/test_machine.h"

namespace acme {
namespace {

using Levels = std::vector<OccupancyLevel>;

constexpr isa::LdCopy Load(uint32_t spm, uint32_t bytes) {
  return {.binding = 2, .dram = 0, .spm = spm, .bytes = bytes};
}
constexpr isa::StCopy Store(uint32_t spm, uint32_t bytes) {
  return {.binding = 2, .dram = 0, .spm = spm, .bytes = bytes};
}

TEST(ScratchpadOccupancy, LastsFromTheWriteToTheLastRead) {
  ScratchpadOccupancy occupancy(*BuiltinHardware("acme_a1"));
  const EngineState state;
  occupancy.Begin(10, {{}, Load(0, 1600)}, state);
  occupancy.Begin(20, {{}, Load(8192, 320)}, state);  // nobody reads it
  occupancy.Begin(30, {{}, Store(0, 640)}, state);
  occupancy.Begin(40, {{}, Store(320, 320)}, state);
  occupancy.Begin(50, {{}, Store(4096, 32)}, state);  // nobody wrote it
  EXPECT_EQ(occupancy.Take(100), (Levels{{10, 640}, {30, 320}, {40, 0}}));
}

TEST(ScratchpadOccupancy, AWriteAfterAReadBeginsAnew) {
  ScratchpadOccupancy occupancy(*BuiltinHardware("acme_a1"));
  const EngineState state;
  occupancy.Begin(10, {{}, Load(0, 64)}, state);
  occupancy.Begin(15, {{}, Load(32, 32)}, state);  // more of the same
  occupancy.Begin(20, {{}, Store(0, 64)}, state);
  occupancy.Begin(50, {{}, Load(0, 64)}, state);
  occupancy.Begin(70, {{}, Store(0, 32)}, state);
  EXPECT_EQ(occupancy.Take(100), (Levels{{10, 64}, {20, 0}, {50, 32}, {70, 0}}));
}

TEST(ScratchpadOccupancy, IsPartOfATracedRun) {
  ProgramBuilder b;
  b.Emit(Load(0, 640), Post(1));
  b.Emit(isa::StCopy{.binding = 1, .dram = 0, .spm = 0, .bytes = 640}, Wait(1));
  b.Halt();
  TestMachine machine(*BuiltinHardware("acme_a1"));
  machine.buffers = {std::vector<uint8_t>(4096), std::vector<uint8_t>(4096),
                     std::vector<uint8_t>(4096)};
  const Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  const Levels& levels = result->scratchpad_levels;
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].bytes, 640);
  EXPECT_EQ(levels[1].bytes, 0);
  EXPECT_LT(levels[0].cycle, levels[1].cycle);
  EXPECT_LT(levels[1].cycle, result->counters.cycles);
}

}  // namespace
}  // namespace acme
