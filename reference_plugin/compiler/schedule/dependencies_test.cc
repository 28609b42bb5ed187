// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/schedule/dependencies.h"

#include <gtest/gtest.h>

#include "reference_plugin/compiler/tests/two_layers.h"

namespace acme::compiler {
namespace {

using Indices = std::vector<uint32_t>;

Indices SuccessorsOf(const Dependencies& found, uint32_t task) {
  const auto successors = found.successors.Of(task);
  return {successors.begin(), successors.end()};
}

TEST(DependenciesTest, FollowWhatIsReadAndWritten) {
  const Dependencies found = FindDependencies(FootprintsOf(TwoLayers()));
  const std::vector<Indices> successors = {{1}, {2}, {5}, {4}, {}, {}};
  for (uint32_t task = 0; task < successors.size(); ++task)
    EXPECT_EQ(SuccessorsOf(found, task), successors[task]) << task;
  EXPECT_EQ(found.num_predecessors, (Indices{0, 1, 1, 0, 1, 1}));
}

// A write waits for the reads before it and for the write before them only through those.
TEST(DependenciesTest, AWriteWaitsForTheReadsOfWhatItReplaces) {
  const MemoryRange range = ScratchpadRange(64, 64);
  const std::vector<TouchingTask> tasks = {
      Touching(isa::LdCopy{.bytes = 64}, {}, {range}),
      Touching(isa::StCopy{.bytes = 64}, {range}, {}),
      Touching(isa::StCopy{.bytes = 32}, {ScratchpadRange(96, 32)}, {}),
      Touching(isa::LdCopy{.bytes = 64}, {}, {range}),
      Touching(isa::StCopy{.bytes = 64}, {range}, {}),
  };
  const Dependencies found = FindDependencies(FootprintsOf(tasks));
  EXPECT_EQ(SuccessorsOf(found, 1), (Indices{3}));
  EXPECT_EQ(SuccessorsOf(found, 2), (Indices{3}));
  EXPECT_EQ(SuccessorsOf(found, 3), (Indices{4}));
  EXPECT_EQ(found.num_predecessors[4], 1U);
}

// Parts of the same bytes that do not touch: channels of the same pixels.
TEST(DependenciesTest, ChannelsSideBySideDoNotWait) {
  MemoryRange even = ScratchpadRange(0, 1024);
  even.period = 64;
  even.length = 32;
  MemoryRange odd = even;
  odd.phase = 32;
  const std::vector<TouchingTask> tasks = {Touching(isa::LdCopy{}, {}, {even}),
                                           Touching(isa::LdCopy{}, {}, {odd}),
                                           Touching(isa::StCopy{}, {odd}, {})};
  const Dependencies found = FindDependencies(FootprintsOf(tasks));
  EXPECT_EQ(SuccessorsOf(found, 0), Indices());
  EXPECT_EQ(SuccessorsOf(found, 1), (Indices{2}));
}

}  // namespace
}  // namespace acme::compiler
