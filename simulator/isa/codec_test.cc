// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "simulator/isa/info.h"
#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

// A legal random value of a field.
int64_t RandomValue(const FieldInfo& field, std::mt19937_64& random) {
  if (field.enumeration != nullptr)
    return field.enumeration->values[random() % field.enumeration->values.size()].value;
  const int64_t span = int64_t{1} << field.bits;
  const int64_t raw = static_cast<int64_t>(random() % static_cast<uint64_t>(span));
  if (field.kind == FieldKind::kInt) return raw - span / 2;
  if (field.kind == FieldKind::kSize || field.kind == FieldKind::kAregTarget)
    return raw == 0 ? 1 : raw;
  return raw;
}

// A random legal instruction of the given kind.
Word RandomWord(const InstrInfo& info, std::mt19937_64& random) {
  Word word;
  word.w[0] = static_cast<uint32_t>(info.opcode) | static_cast<uint32_t>(random() << 8);
  for (const FieldInfo& field : info.fields) WriteField(word, field, RandomValue(field, random));
  return word;
}

TEST(CodecTest, EveryInstructionRoundTrips) {
  std::mt19937_64 random(1);
  for (const InstrInfo& info : AllInstructions()) {
    for (int i = 0; i < 200; ++i) {
      const Word word = RandomWord(info, random);
      Expected<Instr> instr = Decode(word);
      ASSERT_TRUE(instr) << info.mnemonic << ": " << instr.Error().Message();
      EXPECT_EQ(OpcodeOf(*instr), info.opcode);
      Expected<Word> again = Encode(*instr);
      ASSERT_TRUE(again) << info.mnemonic << ": " << again.Error().Message();
      EXPECT_EQ(*again, word) << info.mnemonic;
    }
  }
}

TEST(CodecTest, LayoutIsPinned) {
  // Bit positions are what modules on disk hold.
  const Instr instr{Wait(1, 2) & Post(3, 63), isa::MStream{.addr = 0x123456,
                                                           .addr_areg = 7,
                                                           .acc = 0xABCD,
                                                           .acc_areg = 9,
                                                           .m = 0x4321,
                                                           .row_stride = -2,
                                                           .swap = true,
                                                           .accumulate = false}};
  const Word word = *Encode(instr);
  EXPECT_EQ(word.w[0], 0x45u | 1u << 8 | 2u << 14 | 3u << 20 | 63u << 26);
  EXPECT_EQ(word.w[1], 0xD7123456u);
  EXPECT_EQ(word.w[2], 0xABCu | 0x9u << 12 | 0x4321u << 16);
  EXPECT_EQ(ReadField(word, InfoOf(Opcode::kMStream).fields[2]), 0xABCD);
  EXPECT_EQ(InfoOf(Opcode::kMStream).fields[2].lsb, 60);
  EXPECT_EQ(InfoOf(Opcode::kMStream).fields[5].lsb, 96);
  EXPECT_EQ(word.w[3] & 0xFFFFFFu, 0xFFFFFEu);
  EXPECT_EQ(word.w[3] >> 24, 1u);
}

TEST(CodecTest, EncodeRefusesWhatDoesNotFit) {
  struct Case {
    Instr instr;
    std::string_view message;
  };
  const Case cases[] = {
      {{{}, isa::CpLoop{.count = 0}}, "cp.loop: count can't be 0"},
      {{{}, isa::CpSetA{.areg = 0, .value = 1}}, "cp.seta: areg can't be 0"},
      {{{}, isa::MLoadW{.addr = 1 << 24, .k = 1, .n = 1}}, "m.loadw: addr can't be 16777216"},
      {{{}, isa::MLoadW{.k = 512, .n = 1}}, "m.loadw: k can't be 512"},
      {{{}, isa::MConv{.y0 = 2048, .out_h = 1, .out_w = 1}}, "m.conv: y0 can't be 2048"},
      {{{}, isa::MConv{.y0 = -2049, .out_h = 1, .out_w = 1}}, "m.conv: y0 can't be -2049"},
      {{Wait(64), isa::CpNop{}}, "semaphore 64 does not exist"},
      {{{}, isa::VFill{.dtype = static_cast<Dtype>(7)}}, "v.fill: dtype can't be 7"},
  };
  for (const Case& c : cases) {
    Expected<Word> word = Encode(c.instr);
    ASSERT_FALSE(word) << c.message;
    EXPECT_EQ(word.Error().Message(), c.message);
  }
}

TEST(CodecTest, DecodeRefusesWhatIsNoInstruction) {
  Word word;
  word.w[0] = 0xFF;
  EXPECT_EQ(Decode(word).Error().Message(), "opcode 255 does not exist");
  word = *Encode({{}, isa::CpHalt{}});
  word.w[3] = 1u << 31;
  EXPECT_EQ(Decode(word).Error().Message(), "cp.halt: bits beyond the last field are set");
  word = *Encode({{}, isa::CpLoop{.count = 1}});
  word.w[1] = 0;
  EXPECT_EQ(Decode(word).Error().Message(), "cp.loop: count can't be 0");
}

TEST(CodecTest, AnyBitsDecodeOrAreRefused) {
  std::mt19937_64 random(2);
  int good = 0;
  for (int i = 0; i < 200000; ++i) {
    Word word;
    for (uint32_t& w : word.w) w = static_cast<uint32_t>(random());
    if (i % 2 == 0) word.w[3] = 0;
    Expected<Instr> instr = Decode(word);
    if (!instr) continue;
    ++good;
    EXPECT_EQ(*Encode(*instr), word);
  }
  EXPECT_GT(good, 1000);
}

TEST(ProgramBuilderTest, NamesTheInstructionThatDoesNotFit) {
  ProgramBuilder b;
  b.Mark(1);
  b.Emit(isa::LdCopy{.bytes = 0});
  b.Emit(isa::LdCopy{.bytes = 1 << 24});
  b.Halt();
  Expected<std::vector<Word>> code = b.Finish();
  ASSERT_FALSE(code);
  EXPECT_EQ(code.Error().Message(), "instruction 1: ld.copy: bytes can't be 0");
  EXPECT_EQ(code.Error().OffsetBytes(), 16);
}

}  // namespace
}  // namespace acme
