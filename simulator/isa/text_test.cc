// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "simulator/isa/codec.h"
#include "simulator/isa/info.h"
#include "simulator/isa/program_builder.h"

namespace acme {
namespace {

// Every field at its extremes and at random, through text and back.
TEST(TextTest, EveryInstructionRoundTrips) {
  std::mt19937_64 random(3);
  for (const InstrInfo& info : AllInstructions()) {
    for (int i = 0; i < 60; ++i) {
      Word word;
      word.w[0] = static_cast<uint32_t>(info.opcode) | static_cast<uint32_t>(random() << 8);
      for (const FieldInfo& field : info.fields) {
        int64_t value = static_cast<int64_t>(random() >> 20);
        if (i == 0) value = 0;
        if (i == 1) value = -1;
        if (field.enumeration != nullptr) {
          value = field.enumeration
                      ->values[static_cast<uint64_t>(value) % field.enumeration->values.size()]
                      .value;
        }
        WriteField(word, field, value);
        const bool not_zero =
            field.kind == FieldKind::kSize || field.kind == FieldKind::kAregTarget;
        if (not_zero && ReadField(word, field) == 0) WriteField(word, field, 1);
      }
      const std::string text = DisassembleInstruction(word);
      // A first semaphore of none with a second one given is written as it is.
      Expected<TextProgram> program = Assemble(text, "t");
      ASSERT_TRUE(program) << text << ": " << program.Error().Message();
      ASSERT_EQ(program->code.size(), 1u);
      EXPECT_EQ(program->code[0], word) << text;
    }
  }
}

TEST(TextTest, BrokenWordsRoundTripAsData) {
  const Word word{{0xFF, 1, 2, 3}};
  const std::string text = DisassembleInstruction(word);
  EXPECT_EQ(text, ".word 0x000000ff 0x00000001 0x00000002 0x00000003  # opcode 255 does not exist");
  EXPECT_EQ(Assemble(text, "t")->code[0], word);
}

TEST(TextTest, ReadsAWholeProgram) {
  constexpr std::string_view kText = R"(# doubles
.soc acme_a0
.binding in x 32
.binding out y 32
.workspace 0x40
.constant 00 7f ff   # three bytes
.constant_fill 0x05 2
.handle 2 "double it"
cp.mark handle=2
cp.loop count=3
  ld.copy binding=2 dram=0x10+a1 spm=8 bytes=32 wait(1,2) post(3)
  v.clamp lo=f:-1.5 hi=f:2
cp.endloop
cp.halt
)";
  Expected<TextProgram> program = Assemble(kText, "p.acm");
  ASSERT_TRUE(program) << program.Error().Message();
  EXPECT_EQ(program->soc_model, "acme_a0");
  ASSERT_EQ(program->bindings.size(), 2u);
  EXPECT_EQ(program->bindings[1].name, "y");
  EXPECT_TRUE(program->bindings[1].output);
  EXPECT_EQ(program->workspace_bytes, 64u);
  EXPECT_EQ(program->constants, (std::vector<uint8_t>{0, 127, 255, 5, 5}));
  EXPECT_EQ(program->handle_names, (std::vector<std::string>{"", "double it"}));
  EXPECT_EQ(program->lines, (std::vector<int>{9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(*Decode(program->code[2]),
            (Instr{Wait(1, 2) & Post(3),
                   isa::LdCopy{.binding = 2, .dram = 16, .dram_areg = 1, .spm = 8, .bytes = 32}}));
  EXPECT_EQ(DisassembleCode(program->code), R"(cp.mark handle=2
cp.loop count=3
  ld.copy binding=2 dram=0x10+a1 spm=0x8 bytes=32 wait(1, 2) post(3)
  v.clamp lo=-1077936128 hi=1073741824
cp.endloop
cp.halt
)");
}

TEST(TextTest, NamesMayHoldAnything) {
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  for (const std::string& name : {std::string(), std::string("plain_1.x:0"), every}) {
    const auto program = Assemble(".soc " + NameText(name) + "\n.binding in " + NameText(name) +
                                      " 4\n.handle 1 \"" + EscapedName(name) + "\" # note\n",
                                  "t");
    ASSERT_TRUE(program) << program.Error().Message();
    EXPECT_EQ(program->soc_model, name);
    EXPECT_EQ(program->bindings[0].name, name);
    EXPECT_EQ(program->handle_names[0], name);
  }
  EXPECT_EQ(NameText("plain_1.x:0"), "plain_1.x:0");
}

TEST(TextTest, ErrorsNameLineAndColumn) {
  struct Case {
    std::string_view text, message;
  };
  const Case cases[] = {
      {"cp.stop", "t:1:1: unknown instruction 'cp.stop'"},
      {"\n  cp.loop cnt=1", "t:2:11: cp.loop has no field 'cnt'"},
      {"cp.loop", "t:1:1: cp.loop: count can't be 0"},
      {"cp.loop count=", "t:1:15: expected a number, found ''"},
      {"cp.loop count=x1", "t:1:15: expected a number, found 'x1'"},
      {"cp.loop count=16777216", "t:1:15: 16777216 is not in 0 .. 16777215"},
      {"cp.loop count=1 count=2", "t:1:17: count stands twice"},
      {"cp.loop count", "t:1:14: expected '=' after count"},
      {"v.fill dtype=f16", "t:1:14: 'f16' is not a Dtype"},
      {"ld.copy bytes=4 spm=4+b1", "t:1:23: expected a register a0 .. a15, found 'b1'"},
      {"ld.copy bytes=4+a1", "t:1:16: bytes takes no address register"},
      {"cp.nop wait(64)", "t:1:13: 64 is not in 0 .. 63"},
      {"cp.nop wait(1", "t:1:14: expected ')'"},
      {"cp.nop )", "t:1:8: cp.nop has no field ''"},
      {".binding inout x 3", "t:1:10: expected in or out, found 'inout'"},
      {".constant 0x00", "t:1:11: expected a byte of two hexadecimal digits, found '0x00'"},
      {".handle 1 name", "t:1:10: expected a name in quotes"},
      {".handle 1 \"a", "t:1:10: expected a name in quotes"},
      {".handle 1 \"a\\", "t:1:10: expected a name in quotes"},
      {".handle 1 \"a\\n\"", "t:1:10: expected a name in quotes"},
      {".handle 1 \"a\\x0\"", "t:1:10: expected a name in quotes"},
      {".soc \"a", "t:1:6: expected a name that ends in quotes as it begins"},
      {".what", "t:1:1: unknown directive .what"},
      {".workspace 1 2", "t:1:14: unexpected text"},
  };
  for (const Case& c : cases) {
    Expected<TextProgram> program = Assemble(c.text, "t");
    ASSERT_FALSE(program) << c.text;
    EXPECT_EQ(program.Error().Message(), c.message);
  }
}

}  // namespace
}  // namespace acme
