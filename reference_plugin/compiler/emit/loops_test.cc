// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "simulator/isa/codec.h"
#include "simulator/isa/program_builder.h"
#include "simulator/isa/sequencer.h"
#include "simulator/isa/text.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Lines = std::vector<std::string>;

Lines TextOf(const std::vector<Instr>& code) {
  Lines lines;
  for (const Instr& instr : code) lines.push_back(DisassembleInstruction(*Encode(instr)));
  return lines;
}

Instr Load(uint32_t addr) {
  return {{}, isa::MLoadW{.addr = addr, .k = 16, .n = 16, .k_stride = 16, .n_stride = 1}};
}
Instr Stream(uint32_t addr, uint32_t acc, bool accumulate) {
  return {{},
          isa::MStream{.addr = addr,
                       .acc = acc,
                       .m = 8,
                       .row_stride = 64,
                       .swap = true,
                       .accumulate = accumulate}};
}
Instr Mark(uint32_t handle) { return {{}, isa::CpMark{.handle = handle}}; }

// Folds of one sum: the first one overwrites, so it stays outside.
TEST(RollLoops, FoldsAreALoop) {
  std::vector<Instr> code;
  for (uint32_t i = 0; i < 8; ++i) {
    code.push_back(Load(0x1000 + 256 * i));
    code.push_back(Stream(0x40 + 16 * i, 32, i > 0));
  }
  EXPECT_THAT(TextOf(RollLoops(code)),
              ElementsAre("m.loadw addr=0x1000 k=16 n=16 k_stride=16 n_stride=1",
                          "m.stream addr=0x40 acc=32 m=8 row_stride=64 swap=1", "cp.seta areg=1",
                          "cp.seta areg=2", "cp.loop count=7",
                          "m.loadw addr=0x1100+a1 k=16 n=16 k_stride=16 n_stride=1",
                          "m.stream addr=0x50+a2 acc=32 m=8 row_stride=64 swap=1 accumulate=1",
                          "cp.adda areg=1 value=256", "cp.adda areg=2 value=16", "cp.endloop"));
}

// A loop of more instructions is taken where it saves a larger share; equal steps share a register.
TEST(RollLoops, ColumnsOfFoldsAreALoop) {
  std::vector<Instr> code;
  for (uint32_t tile = 0; tile < 6; ++tile) {
    for (uint32_t i = 0; i < 3; ++i) {
      code.push_back(Load(0x1000 + 1024 * tile + 256 * i));
      code.push_back(Stream(0x40 + 16 * i, 32 + 8 * tile, i > 0));
    }
  }
  const std::vector<Instr> rolled = RollLoops(code);
  EXPECT_EQ(rolled.size(), 2u + 1 + 6 + 2 + 1);
  EXPECT_EQ(TextOf(rolled)[3], "m.loadw addr=0x1000+a1 k=16 n=16 k_stride=16 n_stride=1");
  EXPECT_EQ(TextOf(rolled)[4], "m.stream addr=0x40 acc=32+a2 m=8 row_stride=64 swap=1");
}

TEST(RollLoops, WhatSavesNothingStays) {
  const std::vector<Instr> code = {Load(0), Stream(0, 0, false), Load(256), Stream(64, 0, false)};
  EXPECT_EQ(TextOf(RollLoops(code)), TextOf(code));
}

TEST(RollLoops, OtherDistancesOrSemaphoresEndALoop) {
  std::vector<Instr> code;
  for (uint32_t i = 0; i < 20; ++i) code.push_back(Load(256 * i + (i < 10 ? 0 : 64)));
  EXPECT_EQ(TextOf(RollLoops(code))[1], "cp.loop count=10");
  code[5].sync = Wait(3);
  EXPECT_EQ(TextOf(RollLoops(code))[0], TextOf(code)[0]);
}

// A register's last value is what it has behind the last time.
TEST(RollLoops, RegistersDoNotOverflow) {
  std::vector<Instr> code;
  for (uint32_t i = 0; i < 31; ++i)
    code.push_back({{}, isa::LdCopy{.binding = 2, .dram = i << 27, .bytes = 64}});
  EXPECT_EQ(TextOf(RollLoops(code))[1], "cp.loop count=15");
}

// Whatever is rolled, the command processor walks to the same instructions.
class RollLoopsProperty : public testing::TestWithParam<unsigned> {};

Lines Executed(const std::vector<Instr>& code) {
  ProgramBuilder builder;
  for (const Instr& instr : code) builder.Append(instr);
  builder.Halt();
  const auto program = Program::Decode(*builder.Finish());
  EXPECT_TRUE(program);
  Lines lines;
  Sequencer sequencer(*program);
  for (Step step; sequencer.Next(step);) {
    EXPECT_TRUE(step.address_ok);
    if (EngineOf(step.opcode) == Engine::kCommand && step.opcode != Opcode::kCpMark) continue;
    Instr instr = *step.instr;
    // The register has been added.
    if (auto* load = std::get_if<isa::MLoadW>(&instr.op)) load->addr_areg = 0;
    if (auto* stream = std::get_if<isa::MStream>(&instr.op))
      stream->addr_areg = stream->acc_areg = 0;
    lines.push_back(DisassembleInstruction(*Encode(instr)));
  }
  return lines;
}

TEST_P(RollLoopsProperty, WalksToTheSame) {
  std::mt19937 random(GetParam());
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  std::vector<Instr> code;
  while (code.size() < 400) {
    std::vector<Instr> body;
    for (uint32_t i = 0; i <= below(6); ++i) {
      const uint32_t addr = 0x10000 + 64 * below(8);
      body.push_back(below(5) == 0   ? Mark(below(3))
                     : below(2) == 0 ? Load(addr)
                                     : Stream(addr, below(4), true));
    }
    const uint32_t step = 32 * below(4);
    for (uint32_t time = 0; time < 1 + below(9); ++time) {
      for (Instr instr : body) {
        if (auto* load = std::get_if<isa::MLoadW>(&instr.op)) load->addr -= step * time;
        if (auto* stream = std::get_if<isa::MStream>(&instr.op)) stream->acc += 2 * time;
        code.push_back(instr);
      }
    }
  }
  const std::vector<Instr> rolled = RollLoops(code);
  EXPECT_LT(rolled.size(), code.size());
  EXPECT_EQ(Executed(rolled), Executed(code));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RollLoopsProperty, testing::Range(0u, 40u));

}  // namespace
}  // namespace acme::compiler
