// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The schedule: exact cycles of small programs, budgets, fences, sharing of DRAM and banks.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simulator/device/testing/test_machine.h"

namespace acme {
namespace {

using ::testing::HasSubstr;

TEST(ScheduleTest, LatencyOfTransfersOverlaps) {
  ProgramBuilder b;
  for (int i = 0; i < 3; ++i) b.Emit(isa::LdCopy{.binding = 2, .dram = 0, .spm = 0, .bytes = 1600});
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  // Four instructions arrive as one burst of 64 bytes: 100 + 4 cycles; the first is begun in cycle
  // 104, its request takes 4, its data comes 100 later and takes 1600 / 16 cycles; the next ones'
  // data follows at once.
  EXPECT_EQ(SliceAt(*result, 0).begin_cycle, 104 + 4 + 100);
  EXPECT_EQ(SliceAt(*result, 0).end_cycle, 308);
  EXPECT_EQ(SliceAt(*result, 1).begin_cycle, 308);
  EXPECT_EQ(SliceAt(*result, 2).end_cycle, 508);
  EXPECT_EQ(result->counters.cycles, 509);
  const int load = static_cast<int>(Engine::kLoad);
  EXPECT_EQ(result->counters.busy_cycles[load], 300);
  EXPECT_EQ(result->counters.stall_cycles[load][static_cast<int>(Stall::kDramLatency)], 104);
  EXPECT_EQ(result->counters.stall_cycles[load][static_cast<int>(Stall::kNoInstruction)], 104 + 1);
  EXPECT_EQ(result->counters.dram_read_bytes, 3 * 1600 + 64);
}

TEST(ScheduleTest, OutstandingTransfersAreLimited) {
  Hardware hw = PlainHardware();
  hw.dma_outstanding = 1;
  ProgramBuilder b;
  for (int i = 0; i < 3; ++i) b.Emit(isa::LdCopy{.binding = 2, .spm = 0, .bytes = 64});
  b.Halt();
  TestMachine machine = MachineWithBuffers(hw);
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result);
  EXPECT_EQ(SliceAt(*result, 1).begin_cycle - SliceAt(*result, 0).end_cycle, 104);
}

TEST(ScheduleTest, LoadAndStoreShareDram) {
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .dram = 0, .spm = 0, .bytes = 16000});
  b.Emit(isa::StNop{}, Wait(1));
  b.Emit(isa::StCopy{.binding = 1, .dram = 0, .spm = 32768, .bytes = 16000});
  b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 20000}, Post(1));
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  const int load = static_cast<int>(Engine::kLoad);
  // Each alone takes 1000 cycles; together they take 2000 for 2000 cycles' worth of data.
  const int64_t begin = std::min(SliceAt(*result, 0).begin_cycle, SliceAt(*result, 2).begin_cycle);
  const int64_t end = std::max(SliceAt(*result, 0).end_cycle, SliceAt(*result, 2).end_cycle - 100);
  EXPECT_EQ(end - begin, 2000);
  EXPECT_GT(result->counters.stall_cycles[load][static_cast<int>(Stall::kDramBandwidth)], 800);
}

TEST(ScheduleTest, StreamsOverlapWeightLoads) {
  ProgramBuilder b;
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  for (int i = 0; i < 3; ++i) {
    b.Emit(isa::MLoadW{.addr = 0, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1});
    b.Emit(isa::MStream{.addr = 4096, .acc = 0, .m = 100, .row_stride = 32, .swap = true});
  }
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result);
  // One load of 8 cycles is seen, the streams follow each other, the last drains 62.
  EXPECT_EQ(TestMachine::SpanOf(*result, Engine::kMatrix), 8 + 3 * 100 + 62);
  EXPECT_EQ(SliceAt(*result, 3).begin_cycle, SliceAt(*result, 2).begin_cycle + 1);
  EXPECT_EQ(result->counters
                .stall_cycles[static_cast<int>(Engine::kMatrix)][static_cast<int>(Stall::kWeights)],
            8);
  EXPECT_EQ(result->counters
                .stall_cycles[static_cast<int>(Engine::kMatrix)][static_cast<int>(Stall::kDrain)],
            62);
}

// Two folds: when the second load begins after the first stream did, how long it is drawn, and when
// the second stream begins.
TEST(ScheduleTest, NextWeightsComeWhenThePlaneIsFree) {
  struct Case {
    int64_t m, swap_cycles;
    bool overlap, double_buffered;
    int64_t load_after, stream_after;  // of the first stream's begin
  };
  const Case cases[] = {
      {100, 1, true, true, 1, 100},      // hidden
      {4, 1, true, true, 1, 9},          // the load takes 8 cycles
      {4, 0, true, true, 0, 8},          // with the stream
      {4, 3, true, true, 3, 11},         // later
      {100, 1, true, false, 100, 108},   // one plane: behind the last row
      {100, 1, false, false, 162, 170},  // and after the drain of 62
      {100, 0, false, true, 0, 162},     // two planes, streams apart
  };
  for (const Case& c : cases) {
    Hardware hw = PlainHardware();
    hw.weight_swap_cycles = c.swap_cycles;
    hw.overlap = c.overlap;
    hw.double_buffered_weights = c.double_buffered;
    ProgramBuilder b;
    b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0}, Wait(1));
    for (int i = 0; i < 2; ++i) {
      b.Emit(isa::MLoadW{.addr = 0, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1});
      b.Emit(isa::MStream{
          .addr = 4096, .acc = 0, .m = static_cast<uint32_t>(c.m), .row_stride = 32, .swap = true});
    }
    b.Emit(isa::CpNop{}, Post(1));
    b.Halt();
    TestMachine machine = MachineWithBuffers(hw);
    Expected<RunResult> result = machine.Run(*b.Finish());
    ASSERT_TRUE(result);
    const int64_t begin = SliceAt(*result, 2).begin_cycle;
    const std::string what = fmt::format("m {}, swap {}, overlap {}, double {}", c.m, c.swap_cycles,
                                         c.overlap, c.double_buffered);
    EXPECT_EQ(SliceAt(*result, 3).begin_cycle - begin, c.load_after) << what;
    EXPECT_EQ(SliceAt(*result, 4).begin_cycle - begin, c.stream_after) << what;
    // Completion is in order, behind the stream's drain; the port was busy for 8 cycles.
    EXPECT_EQ(SliceAt(*result, 3).end_cycle - SliceAt(*result, 3).begin_cycle, 8) << what;
  }
}

TEST(ScheduleTest, VectorWaitsForTheDrainedResult) {
  ProgramBuilder b;
  b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  b.Emit(isa::MLoadW{.addr = 0, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1});
  b.Emit(isa::MStream{.addr = 4096, .acc = 0, .m = 64, .row_stride = 32, .swap = true}, Post(9));
  b.Emit(isa::VShape{32, 64, 1, 1});
  b.Emit(isa::VView{View::kDst, 1, 32, 0, 0});
  b.Emit(isa::VParams{.record_stride = 10});
  b.Emit(
      isa::VDrain{
          .acc = 0, .dst = 8192, .params = 16384, .acc_type = Dtype::kI32, .out = Dtype::kI8},
      Wait(9));
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_EQ(SliceAt(*result, 6).begin_cycle, SliceAt(*result, 2).begin_cycle + 64 + 62);
  // 6 to start, 320 bytes of records = 10 words at 6 a cycle, 64 rows at 2 a cycle.
  EXPECT_EQ(SliceAt(*result, 6).end_cycle - SliceAt(*result, 6).begin_cycle, 6 + 2 + 32);
}

TEST(ScheduleTest, BanksAreShared) {
  Hardware hw = PlainHardware();
  hw.scratchpad_banks = 2;
  hw.vector_read_words = 2;
  hw.vector_write_words = 2;
  auto run = [&](bool together) {
    ProgramBuilder b;
    b.Emit(isa::VShape{32768, 1, 1, 1});
    b.Emit(isa::VView{View::kDst, 1, 0, 0, 0});
    b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 0});
    b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
    b.Emit(isa::MLoadW{.addr = 65536, .k = 32, .n = 32, .k_stride = 32, .n_stride = 1});
    if (together)
      b.Emit(isa::MStream{.addr = 65536, .acc = 0, .m = 1000, .row_stride = 32, .swap = true});
    b.Halt();
    TestMachine machine = MachineWithBuffers(hw);
    Expected<RunResult> result = machine.Run(*b.Finish());
    EXPECT_TRUE(result);
    return *result;
  };
  const RunResult alone = run(false), together = run(true);
  const int vector = static_cast<int>(Engine::kVector),
            conflict = static_cast<int>(Stall::kBankConflict);
  EXPECT_GT(together.counters.stall_cycles[vector][conflict],
            alone.counters.stall_cycles[vector][conflict] + 100);
  EXPECT_EQ(together.counters.busy_cycles[vector], alone.counters.busy_cycles[vector]);
}

TEST(ScheduleTest, FenceWaitsForAll) {
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .spm = 0, .bytes = 640});
  b.Fence();
  b.Emit(isa::StCopy{.binding = 1, .spm = 0, .bytes = 640});
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  machine.buffers[2][7] = 99;
  Expected<RunResult> result = machine.Run(*b.Finish());
  ASSERT_TRUE(result) << result.Error().Message();
  EXPECT_EQ(machine.buffers[1][7], 99);
  EXPECT_GT(SliceAt(*result, 2).begin_cycle, SliceAt(*result, 0).end_cycle);
}

// Also when nothing but the command processor works, and when no time is kept.
TEST(ScheduleTest, CycleBudgetEndsARun) {
  for (bool empty : {false, true}) {
    ProgramBuilder b;
    for (int nested = 0; nested < 3; ++nested) b.BeginLoop(1000000);
    if (!empty) b.Emit(isa::VNop{});
    for (int nested = 0; nested < 3; ++nested) b.EndLoop();
    b.Halt();
    const Program program = *Program::Decode(*b.Finish());
    for (RunMode mode : {RunMode::kFunctionAndTime, RunMode::kTimeOnly, RunMode::kFunctionOnly}) {
      const Hardware hw = PlainHardware();
      Units units(hw);
      RunOptions options{.mode = mode, .cycle_budget = 50000};
      Expected<RunResult> result = RunProgram(program, hw, &units, options);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.Error().Code(), ErrorCode::kCycleBudget);
      const std::atomic<bool> cancel = true;
      options = {.mode = mode, .cancel = &cancel};
      result = RunProgram(program, hw, &units, options);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.Error().Code(), ErrorCode::kCancelled);
    }
  }
}

TEST(ScheduleTest, LoopsThatFitAreFetchedOnce) {
  auto fetched = [](int body) {
    ProgramBuilder b;
    b.BeginLoop(10);
    for (int i = 0; i < body; ++i) b.Emit(isa::VNop{});
    b.EndLoop();
    b.Halt();
    TestMachine machine = MachineWithBuffers(PlainHardware());
    return machine.Run(*b.Finish(), RunMode::kTimeOnly)->counters.fetch_bytes;
  };
  EXPECT_EQ(fetched(100), 103 * 16 / 64 * 64 + 64);
  EXPECT_GT(fetched(1000), 9 * 1000 * 16);
}

struct RaceCase {
  std::string_view name;
  std::function<void(ProgramBuilder&)> emit;
  std::string_view message;  // "" for none
};

TEST(RaceTest, UnorderedAccessesAreFound) {
  const isa::LdCopy load{.binding = 2, .spm = 0, .bytes = 64};
  const isa::StCopy store{.binding = 1, .spm = 32, .bytes = 64};
  const RaceCase cases[] = {
      {"read after write", [&](ProgramBuilder& b) { b.Emit(load), b.Emit(store); },
       "race on scratchpad byte 32: store instruction 1 reads what load instruction 0 writes, and "
       "no semaphore orders them"},
      {"ordered", [&](ProgramBuilder& b) { b.Emit(load, Post(1)), b.Emit(store, Wait(1)); }, ""},
      {"wrong semaphore",
       [&](ProgramBuilder& b) {
         b.Emit(isa::MNop{}, Post(1));
         b.Emit(load);
         b.Emit(store, Wait(1));
       },
       "store instruction 2 reads what load instruction 1 writes"},
      {"write after read", [&](ProgramBuilder& b) { b.Emit(store), b.Emit(load); },
       "load instruction 1 writes what store instruction 0 reads"},
      {"write after write",
       [&](ProgramBuilder& b) { b.Emit(load), b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 63}); },
       "vector instruction 1 writes what load instruction 0 writes"},
      {"side by side",
       [&](ProgramBuilder& b) { b.Emit(load), b.Emit(isa::VFill{.dtype = Dtype::kI8, .dst = 64}); },
       ""},
      {"through a third engine",
       [&](ProgramBuilder& b) {
         b.Emit(load, Post(1));
         b.Emit(isa::VNop{}, Wait(1) & Post(2));
         b.Emit(store, Wait(2));
       },
       ""},
      {"through the command processor",
       [&](ProgramBuilder& b) {
         b.Emit(load, Post(1));
         b.Emit(isa::CpNop{}, Wait(1));
         b.Emit(store);
       },
       ""},
      {"fence", [&](ProgramBuilder& b) { b.Emit(load), b.Fence(), b.Emit(store); }, ""},
      {"same engine", [&](ProgramBuilder& b) { b.Emit(load), b.Emit(load); }, ""},
      {"both read",
       [&](ProgramBuilder& b) {
         b.Emit(load, Post(1, 1));
         b.Emit(store, Wait(1));
         b.Emit(isa::VUnary{.op = UnaryOp::kCopy, .dtype = Dtype::kI8, .dst = 500, .a = 32},
                Wait(1));
       },
       ""},
      {"DRAM workspace",
       [&](ProgramBuilder& b) {
         b.Emit(store);
         b.Emit(isa::LdCopy{.binding = 1, .dram = 10, .spm = 1000, .bytes = 4});
       },
       "race on DRAM byte 10: load instruction 1 reads what store instruction 0 writes"},
      {"accumulators",
       [&](ProgramBuilder& b) {
         b.Emit(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
         b.Emit(isa::MLoadW{.addr = 0, .k = 1, .n = 1});
         b.Emit(isa::MStream{.addr = 0, .acc = 3, .m = 1, .swap = true});
         b.Emit(isa::VDrain{.acc = 3, .dst = 100, .acc_type = Dtype::kI32, .out = Dtype::kI32});
       },
       "race on accumulator word 96"},
      {"a credit too many",
       [&](ProgramBuilder& b) {
         b.Emit(isa::CpNop{}, Post(1, 1));
         for (int i = 0; i < 2; ++i) {
           b.Emit(load, Wait(1) & Post(2));
           b.Emit(store, Wait(2) & Post(1));
         }
       },
       "store instruction 2 reads what load instruction 3 writes"},
  };
  for (const RaceCase& c : cases) {
    ProgramBuilder b;
    c.emit(b);
    b.Halt();
    TestMachine machine = MachineWithBuffers(PlainHardware());
    Expected<RunResult> result = machine.Run(*b.Finish());
    EXPECT_EQ(static_cast<bool>(result), c.message.empty())
        << c.name << (result ? "" : ": " + result.Error().Message());
    if (!result) {
      EXPECT_EQ(result.Error().Code(), ErrorCode::kRace) << c.name;
      EXPECT_THAT(result.Error().Message(), HasSubstr(c.message)) << c.name;
    }
  }
}

}  // namespace
}  // namespace acme
