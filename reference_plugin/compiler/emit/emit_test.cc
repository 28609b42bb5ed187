// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/emit/emit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/isa/text.h"

namespace acme::compiler {
namespace {

using Lines = std::vector<std::string>;

constexpr isa::VView kA{.view = View::kA, .s0 = 1, .s1 = 8};
constexpr isa::VView kDst{.view = View::kDst, .s0 = 1, .s1 = 8};

struct EmitCase {
  const char* name;
  std::vector<Task> tasks;
  std::vector<TaskSync> syncs;  // by task
  Lines code;
};

class EmitCodeTest : public testing::TestWithParam<EmitCase> {};

TEST_P(EmitCodeTest, WritesInstructions) {
  const auto code = EmitCode(GetParam().tasks, GetParam().syncs);
  ASSERT_TRUE(code) << code.Error().Message();
  Lines lines;
  for (const Word& word : *code) lines.push_back(DisassembleInstruction(word));
  EXPECT_EQ(lines, GetParam().code);
}

std::vector<EmitCase> Cases() {
  const Task load{.work = isa::LdCopy{.spm = 64, .bytes = 16}};
  const Task nop{.work = isa::VNop{}};
  return {
      {"NothingButTheEnd", {}, {}, {"cp.halt"}},
      {"ConfigurationOnlyWhereItChanges",
       {{.config = {kA, isa::VClamp{.lo = 0, .hi = 1}}, .work = isa::VNop{}},
        {.config = {kA, isa::VClamp{.lo = 0, .hi = 2}}, .work = isa::VNop{}},
        {.config = {kA, isa::VClamp{.lo = 0, .hi = 1}}, .work = isa::VNop{}}},
       {{}, {}, {}},
       {"v.view view=a s0=1 s1=8", "v.clamp hi=1", "v.nop", "v.clamp hi=2", "v.nop", "v.clamp hi=1",
        "v.nop", "cp.halt"}},
      {"ViewsAreKeptByOperand",
       {{.config = {kA, kDst}, .work = isa::VNop{}}, {.config = {kDst, kA}, .work = isa::VNop{}}},
       {{}, {}},
       {"v.view view=a s0=1 s1=8", "v.view view=dst s0=1 s1=8", "v.nop", "v.nop", "cp.halt"}},
      {"QuantisationIsKeptByOperand",
       {{.config = {isa::VQuant{.view = View::kA, .zp = 3}}, .work = isa::VNop{}},
        {.config = {isa::VQuant{.view = View::kB, .zp = 3}}, .work = isa::VNop{}},
        {.config = {isa::VQuant{.view = View::kA, .zp = 3}}, .work = isa::VNop{}}},
       {{}, {}, {}},
       {"v.quant view=a zp=3 rounding=double", "v.nop", "v.quant view=b zp=3 rounding=double",
        "v.nop", "v.nop", "cp.halt"}},
      {"EnginesHaveConfigurationOfTheirOwn",
       {{.config = {isa::LdShape{.n0 = 2, .n1 = 1, .n2 = 1, .n3 = 1}}, .work = isa::LdNop{}},
        {.config = {isa::StShape{.n0 = 2, .n1 = 1, .n2 = 1, .n3 = 1}}, .work = isa::StNop{}}},
       {{}, {}},
       {"ld.shape n0=2 n1=1 n2=1 n3=1", "ld.nop", "st.shape n0=2 n1=1 n2=1 n3=1", "st.nop",
        "cp.halt"}},
      {"MarksWhereTheLayerChanges",
       {{.handle = 1, .work = isa::VNop{}},
        {.handle = 1, .work = isa::VNop{}},
        {.handle = 2, .work = isa::VNop{}},
        {.handle = 1, .work = isa::VNop{}}},
       {{}, {}, {}, {}},
       {"cp.mark handle=1", "v.nop", "v.nop", "cp.mark handle=2", "v.nop", "cp.mark handle=1",
        "v.nop", "cp.halt"}},
      {"HeadersHoldTwoWaitsAndTwoPosts",
       {load},
       {{{5, 9}, {1, 2}}},
       {"ld.copy spm=0x40 bytes=16 wait(5, 9) post(1, 2)", "cp.halt"}},
      {"TheThirdWaitStandsBeforeTheThirdPostBehind",
       {load},
       {{{5, 9, 13}, {2, 3, 4}}},
       {"ld.nop wait(5)", "ld.copy spm=0x40 bytes=16 wait(9, 13) post(2, 3)", "ld.nop post(4)",
        "cp.halt"}},
      {"NoOperationsOfEachEngine",
       {{.work = isa::LdNop{}}, {.work = isa::MNop{}}, nop, {.work = isa::StNop{}}},
       {{{}, {1, 2, 3}}, {{}, {5, 6, 7}}, {{}, {9, 10, 11}}, {{}, {13, 14, 15}}},
       {"ld.nop post(1, 2)", "ld.nop post(3)", "m.nop post(5, 6)", "m.nop post(7)",
        "v.nop post(9, 10)", "v.nop post(11)", "st.nop post(13, 14)", "st.nop post(15)",
        "cp.halt"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Cases, EmitCodeTest, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

TEST(EmitCode, AValueThatItsFieldCannotHoldIsAnError) {
  const std::vector<Task> tasks = {{.work = isa::LdCopy{.bytes = 1 << 24}}};
  const auto code = EmitCode(tasks, std::vector<TaskSync>(1));
  ASSERT_FALSE(code);
  EXPECT_THAT(code.Error().Message(), testing::HasSubstr("ld.copy"));
}

}  // namespace
}  // namespace acme::compiler
