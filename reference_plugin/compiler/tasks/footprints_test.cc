// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/tasks/footprints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What one task touches.
class FootprintsTest : public testing::Test {
 protected:
  Footprint Of(const Task& task) {
    found_ = FindFootprints({&task, 1}, *BuiltinHardware("acme_a1"));
    return found_[0];
  }

 private:
  Footprints found_;
};

TEST_F(FootprintsTest, OfACopyIsItsBytes) {
  const Footprint footprint =
      Of({.work = isa::LdCopy{.binding = 2, .dram = 128, .spm = 64, .bytes = 256}});
  EXPECT_THAT(footprint.reads, ElementsAre(DramRange(2, 128, 256)));
  EXPECT_THAT(footprint.writes, ElementsAre(ScratchpadRange(64, 256)));
}

// The field holds the address modulo 2^32; the footprint is of the whole one, as is its phase.
TEST_F(FootprintsTest, BeyondAFieldIsOfTheWholeAddress) {
  constexpr int64_t kPeriod = SymbolicAddresses::kPeriod;
  Task task = {.work = isa::LdCopy{.binding = 2, .dram = 128, .spm = 640, .bytes = 256},
               .symbols = {.lasting_end = 128, .end = 2 * kPeriod + 1024}};
  EXPECT_THAT(Of(task).writes, ElementsAre(ScratchpadRange(2 * kPeriod + 640, 256)));
  task.symbols.end = 2 * kPeriod + 512;
  EXPECT_THAT(Of(task).writes, ElementsAre(ScratchpadRange(kPeriod + 640, 256)));
  task.symbols.lasting_end = 704;
  EXPECT_THAT(Of(task).writes, ElementsAre(ScratchpadRange(640, 256))) << "a value's";
}

// Two channels of four pixels of eight, from channel 4 on: of 26 bytes those whose place in a pixel
// is 4 or 5. The result is dense.
TEST_F(FootprintsTest, OfSomeChannelsRepeatsByPixel) {
  const Footprint footprint =
      Of({.config = {isa::VShape{.n0 = 2, .n1 = 4, .n2 = 1, .n3 = 1},
                     isa::VView{.view = View::kDst, .s0 = 1, .s1 = 2},
                     isa::VView{.view = View::kA, .s0 = 1, .s1 = 8}},
          .work = isa::VUnary{.op = UnaryOp::kCopy, .dtype = Dtype::kI8, .dst = 512, .a = 68}});
  MemoryRange channels = ScratchpadRange(68, 26);
  channels.period = 8;
  channels.phase = 4;
  channels.length = 2;
  EXPECT_THAT(footprint.reads, ElementsAre(channels));
  EXPECT_THAT(footprint.writes, ElementsAre(ScratchpadRange(512, 8)));
}

TEST_F(FootprintsTest, OfEachTaskStandApart) {
  const std::vector<Task> tasks = {
      {.work = isa::LdCopy{.binding = 2, .dram = 128, .spm = 64, .bytes = 256}},
      {.work = isa::VNop{}},
      {.work = isa::StCopy{.binding = 3, .dram = 0, .spm = 64, .bytes = 32}}};
  const Footprints footprints = FindFootprints(tasks, *BuiltinHardware("acme_a1"));
  ASSERT_EQ(footprints.size(), 3U);
  EXPECT_THAT(footprints[0].reads, ElementsAre(DramRange(2, 128, 256)));
  EXPECT_THAT(footprints[0].writes, ElementsAre(ScratchpadRange(64, 256)));
  EXPECT_THAT(footprints[1].reads, IsEmpty());
  EXPECT_THAT(footprints[1].writes, IsEmpty());
  EXPECT_THAT(footprints[2].reads, ElementsAre(ScratchpadRange(64, 32)));
  EXPECT_THAT(footprints[2].writes, ElementsAre(DramRange(3, 0, 32)));
}

}  // namespace
}  // namespace acme::compiler
