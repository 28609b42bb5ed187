// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/conflicts.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "reference_plugin/compiler/tests/touching_task.h"

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

TouchingTask Load(MemoryRange writes) { return Touching(isa::LdCopy{}, {}, {writes}); }
TouchingTask Vector(MemoryRange reads, std::vector<MemoryRange> writes) {
  return Touching(isa::VDrain{}, {reads}, std::move(writes));
}

std::vector<EnginePositions> ConflictsOf(const std::vector<TouchingTask>& tasks) {
  return FindConflicts(TasksOf(tasks), FootprintsOf(tasks));
}

TEST(ConflictsTest, NameTheLastTaskOfEachEngine) {
  const std::vector<EnginePositions> conflicts = ConflictsOf(
      {Load(ScratchpadRange(0, 64)), Load(ScratchpadRange(64, 64)), Load(ScratchpadRange(128, 64)),
       Touching(isa::MStream{}, {ScratchpadRange(0, 128)}, {AccumulatorRange(0, 4)}),
       Touching(isa::VDrain{}, {AccumulatorRange(2, 4), ScratchpadRange(128, 1)}, {})});
  EXPECT_EQ(conflicts[2], EnginePositions{}) << "of its own engine";
  EXPECT_EQ(conflicts[3], Only(kLoad, 2));
  EnginePositions both = Only(kLoad, 3);
  both[kMatrix] = 1;
  EXPECT_EQ(conflicts[4], both);
}

TEST(ConflictsTest, TwoReadsAreNone) {
  const std::vector<TouchingTask> tasks = {
      Vector(ScratchpadRange(0, 64), {}),
      Touching(isa::StCopy{}, {ScratchpadRange(0, 64)}, {DramRange(2, 0, 64)})};
  EXPECT_EQ(ConflictsOf(tasks)[1], EnginePositions{});
}

TEST(ConflictsTest, AWriterWaitsForReadersOfItsMemory) {
  const std::vector<TouchingTask> tasks = {
      Vector(ScratchpadRange(0, 64), {}), Vector(ScratchpadRange(64, 64), {}),
      Load(ScratchpadRange(32, 32)), Load(ScratchpadRange(64, 1))};
  const std::vector<EnginePositions> conflicts = ConflictsOf(tasks);
  EXPECT_EQ(conflicts[2], Only(kVector, 1));
  EXPECT_EQ(conflicts[3], Only(kVector, 2));
}

// The store waits for the vector engine, which waited for the load.
TEST(ConflictsTest, WhatAnotherOneImpliesMayBeLeftOut) {
  const std::vector<TouchingTask> tasks = {
      Load(ScratchpadRange(0, 64)), Vector(ScratchpadRange(0, 64), {ScratchpadRange(0, 64)}),
      Touching(isa::StCopy{}, {ScratchpadRange(0, 64)}, {DramRange(2, 0, 64)})};
  EXPECT_EQ(ConflictsOf(tasks)[2], Only(kVector, 1));
}

TEST(ConflictsTest, DramThatIsOnlyReadHasNone) {
  const std::vector<TouchingTask> tasks = {
      Touching(isa::StCopy{}, {ScratchpadRange(0, 64)}, {DramRange(2, 0, 64)}),
      Touching(isa::LdCopy{}, {DramRange(2, 32, 64)}, {ScratchpadRange(64, 64)}),
      Touching(isa::LdCopy{}, {DramRange(1, 32, 64)}, {ScratchpadRange(256, 64)})};
  const std::vector<EnginePositions> conflicts = ConflictsOf(tasks);
  EXPECT_EQ(conflicts[1], Only(kStore, 1));
  EXPECT_EQ(conflicts[2], EnginePositions{});
}

}  // namespace
}  // namespace acme::compiler
