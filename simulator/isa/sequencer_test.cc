// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/sequencer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SequencerTest, LoopsAndRegisters) {
  ProgramBuilder b;
  b.SetA(1, 100);
  b.BeginLoop(2);
  b.BeginLoop(3);
  b.Emit(isa::LdCopy{.dram = 5, .dram_areg = 1, .spm = 7, .spm_areg = 2, .bytes = 4});
  b.AddA(1, 10);
  b.EndLoop();
  b.AddA(1, -30);
  b.Emit(isa::CpXorA{.areg = 2, .value = 64});
  b.EndLoop();
  b.Halt();
  Program program = *Program::Decode(*b.Finish());
  Sequencer sequencer(program);
  Step step;
  std::vector<uint32_t> dram, spm;
  while (sequencer.Next(step)) {
    if (step.opcode != Opcode::kLdCopy) continue;
    dram.push_back(std::get<isa::LdCopy>(step.instr->op).dram);
    spm.push_back(std::get<isa::LdCopy>(step.instr->op).spm);
  }
  EXPECT_THAT(dram, ElementsAre(105, 115, 125, 105, 115, 125));
  EXPECT_THAT(spm, ElementsAre(7, 7, 7, 71, 71, 71));
  EXPECT_EQ(sequencer.StepsTaken(), 2u + 2 * (1 + 3 * 3 + 3) + 1);
  EXPECT_FALSE(sequencer.Next(step));
}

TEST(SequencerTest, HandlesFollowMarks) {
  ProgramBuilder b;
  b.Emit(isa::LdNop{});
  b.Mark(3);
  b.Emit(isa::LdNop{});
  b.Halt();
  Program program = *Program::Decode(*b.Finish());
  Sequencer sequencer(program);
  Step step;
  std::vector<uint32_t> handles;
  while (sequencer.Next(step)) handles.push_back(step.handle);
  EXPECT_THAT(handles, ElementsAre(0, 3, 3, 3));
}

TEST(SequencerTest, AddressBelowZeroIsNoticed) {
  ProgramBuilder b;
  b.SetA(1, -10);
  b.Emit(isa::LdCopy{.dram = 5, .dram_areg = 1, .bytes = 4});
  b.Halt();
  Program program = *Program::Decode(*b.Finish());
  Sequencer sequencer(program);
  Step step;
  ASSERT_TRUE(sequencer.Next(step));
  ASSERT_TRUE(sequencer.Next(step));
  EXPECT_FALSE(step.address_ok);
}

TEST(ProgramTest, StructureIsChecked) {
  struct Case {
    std::function<void(ProgramBuilder&)> emit;
    std::string_view message;
    int64_t offset;
  };
  const Case cases[] = {
      {[](ProgramBuilder&) {}, "the program does not end in cp.halt", 0},
      {[](ProgramBuilder& b) { b.Fence(); }, "the program does not end in cp.halt", 16},
      {[](ProgramBuilder& b) { b.Halt(), b.Halt(); }, "cp.halt before the end", 0},
      {[](ProgramBuilder& b) { b.EndLoop(), b.Halt(); }, "cp.endloop without cp.loop", 0},
      {[](ProgramBuilder& b) { b.BeginLoop(1), b.Halt(); }, "a loop is not closed", 32},
      {[](ProgramBuilder& b) {
         for (int i = 0; i < 9; ++i) b.BeginLoop(1);
         for (int i = 0; i < 9; ++i) b.EndLoop();
         b.Halt();
       },
       "loops nest too deep", 8 * 16},
  };
  for (const Case& c : cases) {
    ProgramBuilder b;
    c.emit(b);
    Expected<Program> program = Program::Decode(*b.Finish());
    ASSERT_FALSE(program) << c.message;
    EXPECT_THAT(program.Error().Message(), HasSubstr(c.message));
    EXPECT_EQ(program.Error().OffsetBytes(), c.offset);
  }
}

}  // namespace
}  // namespace acme
