// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/conflicts.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace acme::compiler {
namespace {

constexpr auto kLoad = static_cast<size_t>(Engine::kLoad);
constexpr auto kMatrix = static_cast<size_t>(Engine::kMatrix);
constexpr auto kVector = static_cast<size_t>(Engine::kVector);
constexpr auto kStore = static_cast<size_t>(Engine::kStore);

EnginePositions Only(size_t engine, uint32_t position) {
  EnginePositions positions = {};
  positions[engine] = position;
  return positions;
}

Task MakeTask(AnyInstr work, std::vector<Region> reads, std::vector<Region> writes) {
  Task task;
  task.work = std::move(work);
  task.reads = std::move(reads);
  task.writes = std::move(writes);
  return task;
}

Task Load(Region writes) { return MakeTask(isa::LdCopy{}, {}, {writes}); }
Task Vector(Region reads, std::vector<Region> writes) {
  return MakeTask(isa::VDrain{}, {reads}, std::move(writes));
}

TEST(ConflictsTest, NameTheLastTaskOfEachEngine) {
  const std::vector<EnginePositions> conflicts = FindConflicts(std::vector<Task>{
      Load(ScratchpadRegion(0, 64)), Load(ScratchpadRegion(64, 64)),
      Load(ScratchpadRegion(128, 64)),
      MakeTask(isa::MStream{}, {ScratchpadRegion(0, 128)}, {AccumulatorRegion(0, 4)}),
      MakeTask(isa::VDrain{}, {AccumulatorRegion(2, 4), ScratchpadRegion(128, 1)}, {})});
  EXPECT_EQ(conflicts[2], EnginePositions{}) << "of its own engine";
  EXPECT_EQ(conflicts[3], Only(kLoad, 2));
  EnginePositions both = Only(kLoad, 3);
  both[kMatrix] = 1;
  EXPECT_EQ(conflicts[4], both);
}

TEST(ConflictsTest, TwoReadsAreNone) {
  const std::vector<Task> tasks = {
      Vector(ScratchpadRegion(0, 64), {}),
      MakeTask(isa::StCopy{}, {ScratchpadRegion(0, 64)}, {DramRegion(2, 0, 64)})};
  EXPECT_EQ(FindConflicts(tasks)[1], EnginePositions{});
}

TEST(ConflictsTest, AWriterWaitsForReadersOfItsMemory) {
  const std::vector<Task> tasks = {Vector(ScratchpadRegion(0, 64), {}),
                                   Vector(ScratchpadRegion(64, 64), {}),
                                   Load(ScratchpadRegion(32, 32)), Load(ScratchpadRegion(64, 1))};
  const std::vector<EnginePositions> conflicts = FindConflicts(tasks);
  EXPECT_EQ(conflicts[2], Only(kVector, 1));
  EXPECT_EQ(conflicts[3], Only(kVector, 2));
}

// The store waits for the vector engine, which waited for the load.
TEST(ConflictsTest, WhatAnotherOneImpliesMayBeLeftOut) {
  const std::vector<Task> tasks = {
      Load(ScratchpadRegion(0, 64)), Vector(ScratchpadRegion(0, 64), {ScratchpadRegion(0, 64)}),
      MakeTask(isa::StCopy{}, {ScratchpadRegion(0, 64)}, {DramRegion(2, 0, 64)})};
  EXPECT_EQ(FindConflicts(tasks)[2], Only(kVector, 1));
}

TEST(ConflictsTest, DramThatIsOnlyReadHasNone) {
  const std::vector<Task> tasks = {
      MakeTask(isa::StCopy{}, {ScratchpadRegion(0, 64)}, {DramRegion(2, 0, 64)}),
      MakeTask(isa::LdCopy{}, {DramRegion(2, 32, 64)}, {ScratchpadRegion(64, 64)}),
      MakeTask(isa::LdCopy{}, {DramRegion(1, 32, 64)}, {ScratchpadRegion(256, 64)})};
  const std::vector<EnginePositions> conflicts = FindConflicts(tasks);
  EXPECT_EQ(conflicts[1], Only(kStore, 1));
  EXPECT_EQ(conflicts[2], EnginePositions{});
}

}  // namespace
}  // namespace acme::compiler
