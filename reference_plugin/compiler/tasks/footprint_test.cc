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
                     .reads = {ScratchpadRegion(0, 1)}});
  EXPECT_THAT(task.reads, ElementsAre(DramRegion(2, 128, 256))) << "what stood there is replaced";
  EXPECT_THAT(task.writes, ElementsAre(ScratchpadRegion(64, 256)));
}

// Two channels of four pixels of eight, from channel 4 on: of 26 bytes those whose place in a pixel
// is 4 or 5. The result is dense.
TEST(SetFootprint, OfSomeChannelsRepeatsByPixel) {
  const Task task = WithFootprint(
      {.config = {isa::VShape{.n0 = 2, .n1 = 4, .n2 = 1, .n3 = 1},
                  isa::VView{.view = View::kDst, .s0 = 1, .s1 = 2},
                  isa::VView{.view = View::kA, .s0 = 1, .s1 = 8}},
       .work = isa::VUnary{.op = UnaryOp::kCopy, .dtype = Dtype::kI8, .dst = 512, .a = 68}});
  Region channels = ScratchpadRegion(68, 26);
  channels.period = 8;
  channels.phase = 4;
  channels.length = 2;
  EXPECT_THAT(task.reads, ElementsAre(channels));
  EXPECT_THAT(task.writes, ElementsAre(ScratchpadRegion(512, 8)));
}

}  // namespace
}  // namespace acme::compiler
