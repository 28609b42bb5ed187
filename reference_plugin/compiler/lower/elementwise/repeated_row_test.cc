// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/repeated_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

struct RepetitionCase {
  const char* name;
  int64_t row_elems;
  int64_t rows;
  int64_t max_elems;
  int32_t repetitions;
};

class Repetitions : public testing::TestWithParam<RepetitionCase> {};

// 64 lanes, 6 cycles to start.
TEST_P(Repetitions, TakeTheFewestCycles) {
  const RepetitionCase& c = GetParam();
  EXPECT_EQ(ChooseRepetitions(c.row_elems, c.rows, 64, 6, c.max_elems), c.repetitions);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Repetitions,
    testing::ValuesIn(std::vector<RepetitionCase>{
        // 10000 rows of a cycle; 2500 of as many, all lanes filled, after 6 + 4.
        {"AQuarterOfTheLanes", 16, 10000, 1000, 4},
        // 3 of 64 lanes: 64 rows of 3 are three times all lanes.
        {"ThreeChannels", 3, 64000, 1000, 64},
        // 6 + 4 for the copy and 2 for the rows are no less than 8.
        {"TooFewRows", 16, 8, 1000, 1},
        {"LanesAreFull", 64, 10000, 1000, 1},
        // Two rows of 96 are three times all lanes.
        {"OneAndAHalf", 96, 10000, 1000, 2},
        {"NoRoom", 16, 10000, 31, 1},
        {"RoomForTwo", 16, 10000, 32, 2},
    }),
    [](const auto& info) { return info.param.name; });

Binary Mul(ValueId a, ValueId b, int32_t channels, int32_t pixels) {
  Binary op;
  op.op = BinaryOp::kMul;
  op.a = {.value = a, .stride_elems = {1, channels, 0, 0}};
  op.b = {.value = b, .stride_elems = {1, 0, 0, 0}};
  op.extent = {channels, pixels, 1, 1};
  return op;
}

// 32 channels of 64 lanes: pairs of pixels, and the last one alone.
TEST(RepeatRow, PairsOfPixels) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {101, 32});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {32});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {101, 32});
  EXPECT_THAT(bench.Lower(Mul(a, b, 32, 101), y),
              testing::IsSupersetOf({
                  "v.shape n0=32 n1=2 n2=1 n3=1",
                  "v.view view=dst s0=1 s1=32",
                  "v.unary op=copy dtype=i8 dst=0x1ac0 a=0xd40",
                  "v.shape n0=64 n1=50 n2=1 n3=1",
                  "v.binary op=mul dtype=i8 dst=0xdc0 a=0x40 b=0x1ac0",
                  "v.shape n0=32 n1=1 n2=1 n3=1",
                  "v.binary op=mul dtype=i8 dst=0x1a40 a=0xcc0 b=0x1ac0",
              }));
}

// A constant comes as often as it is needed; which operand it is does not matter.
TEST(RepeatRow, ConstantsAreLoadedSo) {
  LoweringBench bench;
  const ValueId a = bench.Constant(Dtype::kI8, {32}, Counting(32));
  const ValueId b = bench.InScratchpad(Dtype::kI8, {100, 32});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {100, 32});
  Binary op = Mul(b, a, 32, 100);
  std::swap(op.a, op.b);
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy spm=0x19c0 bytes=64",
                          "v.binary op=mul dtype=i8 dst=0xd00 a=0x19c0 b=0x40"));
  std::vector<uint8_t> twice = Counting(32);
  twice.insert(twice.end(), twice.begin(), twice.begin() + 32);
  EXPECT_EQ(bench.constants(), twice);
}

}  // namespace
}  // namespace acme::compiler
