// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a program waits for at its beginning, for its instructions and between types of sums.

#include <gtest/gtest.h>

#include "simulator/device/testing/test_machine.h"

namespace acme {
namespace {

// Blocks sum integers up side by side, float32 one after the other.
TEST(FetchTest, OtherTypesWaitForTheLastSums) {
  const auto distance = [](int64_t groups) {
    Hardware hw = PlainHardware();
    hw.row_groups = hw.col_groups = groups;
    ProgramBuilder b;
    for (const Dtype type : {Dtype::kF32, Dtype::kI8}) {
      b.Emit(isa::MType{.act = type, .weight = type});
      b.Emit(isa::MLoadW{.addr = 0, .k = 32, .n = 32, .k_stride = 128, .n_stride = 4});
      b.Emit(isa::MStream{.addr = 8192, .m = 8, .row_stride = 128, .swap = true});
    }
    b.Halt();
    TestMachine machine = MachineWithBuffers(hw);
    Expected<RunResult> result = machine.Run(*b.Finish(), RunMode::kTimeOnly);
    EXPECT_TRUE(result) << result.Error().Message();
    return SliceAt(*result, 5).begin_cycle - SliceAt(*result, 2).begin_cycle;
  };
  // In one array the next weights come beneath the stream.
  EXPECT_GE(distance(2), distance(1) + 62);
}

TEST(FetchTest, PreloadedInstructionsBeginAtOnce) {
  Hardware hw = PlainHardware();
  hw.preloaded_instructions = 4;
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .spm = 0, .bytes = 1600});
  b.Halt();
  TestMachine machine = MachineWithBuffers(hw);
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_LE(SliceAt(*result, 0).begin_cycle, 2 + 4 + 100);
  EXPECT_EQ(result->counters.fetch_bytes, 0);
}

TEST(FetchTest, PackedInstructionsAreFewerBytes) {
  Hardware hw = PlainHardware();
  ProgramBuilder b;
  for (int i = 0; i < 160; ++i) b.Emit(isa::VNop{});
  b.Halt();
  const std::vector<Word> code = *b.Finish();
  const auto fetched = [&] {
    TestMachine machine = MachineWithBuffers(hw);
    return machine.Run(code, RunMode::kTimeOnly)->counters.fetch_bytes;
  };
  EXPECT_EQ(fetched(), 161 * 16 / 64 * 64 + 64);
  hw.packed_instructions = true;
  // Three bytes each, in whole bursts; a burst that two blocks share comes once, but no block is less.
  EXPECT_LE(fetched(), 11 * 64);
  EXPECT_GE(fetched(), 161 * 3);
}

}  // namespace
}  // namespace acme
