// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What semaphores order, in time and without, and what goes wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simulator/device/testing/test_machine.h"

namespace acme {
namespace {

using ::testing::HasSubstr;

TEST(SemaphoresTest, CommandProcessorWaitsAndPosts) {
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .spm = 0, .bytes = 64}, Post(1));
  b.Emit(isa::CpNop{}, Wait(1) & Post(2, 2));
  b.Emit(isa::StCopy{.binding = 1, .spm = 0, .bytes = 64}, Wait(2, 2));
  b.Halt();
  TestMachine machine = MachineWithBuffers(PlainHardware());
  EXPECT_TRUE(machine.Run(*b.Finish()));
}

TEST(SemaphoresTest, DeadlockNamesCountersAndSemaphores) {
  ProgramBuilder b;
  b.Emit(isa::LdCopy{.binding = 2, .spm = 0, .bytes = 64}, Wait(3));
  b.Emit(isa::VNop{}, Wait(4, 5) & Post(3));
  b.Halt();
  const std::vector<Word> code = *b.Finish();
  for (RunMode mode : {RunMode::kFunctionAndTime, RunMode::kTimeOnly, RunMode::kFunctionOnly}) {
    TestMachine machine = MachineWithBuffers(PlainHardware());
    machine.check_races = mode != RunMode::kFunctionOnly;  // else it would keep time all the same
    Expected<RunResult> result = machine.Run(code, mode);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.Error().Code(), ErrorCode::kDeadlock);
    EXPECT_THAT(result.Error().Message(),
                HasSubstr("load: instruction 0 (ld.copy) waits for semaphore 3 (is 0)"));
    EXPECT_THAT(result.Error().Message(),
                HasSubstr("vector: instruction 1 (v.nop) waits for semaphore 4 (is 0) waits for "
                          "semaphore 5 (is 0)"));
  }
}

// In time, and values alone.
std::vector<Expected<RunResult>> RunBothWays(const std::vector<Word>& code) {
  std::vector<Expected<RunResult>> results;
  for (RunMode mode : {RunMode::kFunctionAndTime, RunMode::kFunctionOnly}) {
    TestMachine machine = MachineWithBuffers(PlainHardware());
    machine.check_races = mode != RunMode::kFunctionOnly;  // else it would keep time all the same
    results.push_back(machine.Run(code, mode));
  }
  return results;
}

// Of two loads to one place and the store that reads it between them: a wait that is missing shows
// where no time is kept and who should be waited for goes last.
TEST(SemaphoresTest, AMissingWaitShows) {
  struct Case {
    const char* missing;
    Sync load, store, load_again;
    int stored_if_load_is_last;
    int stored_if_store_is_last;
  };
  const Case cases[] = {
      {"none", Post(1), Wait(1) & Post(2), Wait(2), 1, 1},
      {"the store's for what it reads", {}, Post(2), Wait(2), 0, 1},
      {"the second load's for who reads", Post(1), Wait(1), {}, 1, 2},
  };
  for (const Case& c : cases) {
    ProgramBuilder b;
    b.Emit(isa::LdCopy{.binding = 2, .dram = 0, .spm = 0, .bytes = 64}, c.load);
    b.Emit(isa::StCopy{.binding = 1, .spm = 0, .bytes = 64}, c.store);
    b.Emit(isa::LdCopy{.binding = 2, .dram = 64, .spm = 0, .bytes = 64}, c.load_again);
    b.Halt();
    const std::vector<Word> code = *b.Finish();
    for (const Engine last : {Engine::kLoad, Engine::kStore}) {
      TestMachine machine = MachineWithBuffers(PlainHardware());
      machine.check_races = false;
      machine.last = last;
      std::fill_n(machine.buffers[2].begin(), 64, uint8_t{1});
      std::fill_n(machine.buffers[2].begin() + 64, 64, uint8_t{2});
      ASSERT_TRUE(machine.Run(code, RunMode::kFunctionOnly)) << c.missing;
      EXPECT_EQ(machine.buffers[1][0],
                last == Engine::kLoad ? c.stored_if_load_is_last : c.stored_if_store_is_last)
          << c.missing;
    }
  }
}

TEST(SemaphoresTest, SemaphoreOverflowIsAnError) {
  ProgramBuilder b;
  b.BeginLoop(300);
  b.Emit(isa::VNop{}, Post(1));
  b.EndLoop();
  b.Halt();
  for (const Expected<RunResult>& result : RunBothWays(*b.Finish())) {
    ASSERT_FALSE(result);
    EXPECT_THAT(result.Error().Message(), HasSubstr("above its maximum of 255"));
  }
}

// In time a load is never more than a queue ahead of who takes its post; nor is it in any other
// order.
TEST(SemaphoresTest, ModesAgreeOnWhatSemaphoresHold) {
  ProgramBuilder b;
  b.BeginLoop(1000);
  b.Emit(isa::LdNop{}, Post(1));
  b.Emit(isa::VNop{}, Wait(1));
  b.EndLoop();
  b.Halt();
  for (const Expected<RunResult>& result : RunBothWays(*b.Finish()))
    EXPECT_TRUE(result) << result.Error().Message();
}

}  // namespace
}  // namespace acme
