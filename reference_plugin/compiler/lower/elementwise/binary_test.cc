// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

Binary Add(ValueId a, ValueId b, int32_t elems) {
  Binary op;
  op.a = {.value = a, .stride_elems = {1, 0, 0, 0}};
  op.b = {.value = b, .stride_elems = {1, 0, 0, 0}};
  op.extent = {elems, 1, 1, 1};
  return op;
}

TEST(LowerBinary, ConfiguresOperandsWhereTheyLive) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI8, {64});
  const ValueId b = bench.InScratchpad(Dtype::kI8, {64});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {64});
  Binary op = Add(a, b, 64);
  op.op = BinaryOp::kSub;
  op.a.zero_point = -3;
  op.a.scale = {5, 1};
  op.b.zero_point = 4;
  op.b.scale = {6, -1};
  op.out_zp = 7;
  op.out_scale = {8, -19};
  op.left_shift = 20;
  op.clamp = {-128, 127};
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre("v.quant view=a zp=-3 mult=5 shift=1 left_shift=20 rounding=double",
                  "v.quant view=b zp=4 mult=6 shift=-1 rounding=double",
                  "v.quant view=dst zp=7 mult=8 shift=-19 rounding=double",
                  "v.clamp lo=-128 hi=127", "v.shape n0=64 n1=1 n2=1 n3=1",
                  "v.view view=dst s0=1 s1=64 s2=64 s3=64", "v.view view=a s0=1",
                  "v.view view=b s0=1", "v.binary op=sub dtype=i8 dst=0x140 a=0x40 b=0xc0"));
}

TEST(LowerBinary, ProductsThatAreRoundedAreOfFloats) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kF32, {64});
  const ValueId b = bench.InScratchpad(Dtype::kF32, {64});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {64});
  Binary op = Add(a, b, 64);
  op.op = BinaryOp::kMulRound;
  EXPECT_EQ(bench.Lower(op, y).back(), "v.binary op=mulround dtype=f32 dst=0x2c0 a=0x40 b=0x180");
}

// One step of both operands and the result, each on 64 bytes: 128 + 64 + 128.
TEST(LowerBinary, StreamsThroughOneStep) {
  LoweringBench bench;
  const ValueId a = bench.InDram(Dtype::kI8, {100});
  const ValueId b = bench.Constant(Dtype::kI8, {1}, {9});
  const ValueId y = bench.InDram(Dtype::kI8, {100}, 4096);
  Binary op = Add(a, b, 100);
  op.b.stride_elems = {};
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy binding=1 spm=0x40 bytes=100", "ld.copy spm=0xc0 bytes=1",
                          "v.binary op=add dtype=i8 dst=0x100 a=0x40 b=0xc0",
                          "st.copy binding=1 dram=0x1000 spm=0x100 bytes=100"));
}

struct PieceCase {
  const char* name;
  int64_t step_bytes;
  Dtype dtype;
  int32_t elems;
  size_t pieces;
};

class BinaryPieces : public testing::TestWithParam<PieceCase> {};

// Three operands of a third of the step each, after 64 bytes of alignment for each.
TEST_P(BinaryPieces, FitAThirdOfTheStepEach) {
  LoweringBench bench(GetParam().step_bytes);
  const ValueId a = bench.InScratchpad(GetParam().dtype, {GetParam().elems});
  const ValueId y = bench.InScratchpad(GetParam().dtype, {GetParam().elems});
  EXPECT_EQ(bench.LowerWork(Add(a, a, GetParam().elems), y).size(), GetParam().pieces);
}

INSTANTIATE_TEST_SUITE_P(Cases, BinaryPieces,
                         testing::ValuesIn(std::vector<PieceCase>{
                             {"ExactFit", 192 + 300, Dtype::kI8, 100, 1},
                             {"OneOver", 192 + 300, Dtype::kI8, 101, 2},
                             {"OneByteLess", 192 + 299, Dtype::kI8, 100, 2},
                             {"FourBytesAnElement", 192 + 1200, Dtype::kF32, 100, 1},
                             {"FourBytesAnElementOneOver", 192 + 1200, Dtype::kF32, 101, 2},
                             {"NoStepAtAll", 0, Dtype::kI8, 3, 3},
                             // However much fits: what reads the result can begin.
                             {"NeverMoreThanOverlaps", 1 << 20, Dtype::kI8, 8192, 1},
                             {"NeverMoreThanOverlapsOneOver", 1 << 20, Dtype::kI8, 8193, 2},
                         }),
                         [](const auto& info) { return info.param.name; });

TEST(LowerBinary, WalksOuterDimensionsItself) {
  LoweringBench bench;
  const ValueId a = bench.InScratchpad(Dtype::kI16, {16});
  const ValueId b = bench.InScratchpad(Dtype::kI16, {16});
  const ValueId y = bench.InScratchpad(Dtype::kI16, {24});
  Binary op = Add(a, b, 4);
  op.outer = {{2, 4, 0}, {3, 0, 4}};
  // a at 0x40, b at 0xc0, y at 0x140; a's walk of 4 elements is 8 bytes.
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("v.binary op=add dtype=i16 dst=0x140 a=0x40 b=0xc0",
                          "v.binary op=add dtype=i16 dst=0x148 a=0x48 b=0xc0",
                          "v.binary op=add dtype=i16 dst=0x150 a=0x40 b=0xc8",
                          "v.binary op=add dtype=i16 dst=0x158 a=0x48 b=0xc8",
                          "v.binary op=add dtype=i16 dst=0x160 a=0x40 b=0xd0",
                          "v.binary op=add dtype=i16 dst=0x168 a=0x48 b=0xd0"));
}

// Rows of x + x, [rows, 32], and their largest magnitudes, which the next layer looks for.
struct RowsAndExtremes {
  explicit RowsAndExtremes(int32_t rows, int64_t step_bytes = 1 << 16) : bench(step_bytes) {
    const ValueId x = bench.InScratchpad(Dtype::kF32, {rows, 32});
    y = bench.InScratchpad(Dtype::kF32, {rows, 32});
    add.a = add.b = {.value = x, .stride_elems = {1, 32, 0, 0}};
    add.extent = {32, rows, 1, 1};
    extremes = bench.InScratchpad(Dtype::kF32, {rows});
    reduce->x = y;
    reduce->op = ReduceOp::kMaxMagnitude;
    reduce->in = reduce->out = Dtype::kF32;
    reduce->dims = {{32, true}, {rows, false}};
  }

  std::vector<std::string> Lower() {
    bench.network().layers = {Layer{.output = y, .op = std::make_shared<Binary>(add)},
                              Layer{.output = extremes, .op = reduce}};
    return bench.LowerWork(add, y);
  }

  LoweringBench bench;
  Binary add;
  std::shared_ptr<Reduce> reduce = std::make_shared<Reduce>();
  ValueId y = kNoValue;
  ValueId extremes = kNoValue;
};

// x at 0x40, y at 0x180, the magnitudes behind it.
TEST(LowerBinary, ReducesRowsForTheNextLayer) {
  RowsAndExtremes rows(2);
  EXPECT_THAT(rows.Lower(),
              ElementsAre("v.binary op=add dtype=f32 dst=0x180 a=0x40 b=0x40 epilogue=1"));
  EXPECT_THAT(rows.bench.Lower(rows.add, rows.y),
              testing::Contains("v.epilogue op=maxabs dims=1 dst=0x2c0"));
}

// Pieces of two rows each: 3 * 64 bytes of alignment and 3 * 256 bytes.
TEST(LowerBinary, EachPieceReducesItsRows) {
  RowsAndExtremes rows(4, 192 + 3 * 256);
  EXPECT_EQ(rows.Lower().size(), 2);
  const std::vector<std::string> all = rows.bench.Lower(rows.add, rows.y);
  EXPECT_THAT(all, testing::Contains("v.epilogue op=maxabs dims=1 dst=0x4c0"));
  EXPECT_THAT(all, testing::Contains("v.epilogue op=maxabs dims=1 dst=0x4c8"));
}

// Operands that have the same order are one row of all.
TEST(LowerBinary, WalksRowsThatAreReduced) {
  RowsAndExtremes rows(2);
  rows.add.a.stride_elems = rows.add.b.stride_elems = {1, 0, 0, 0};
  rows.add.extent = {64, 1, 1, 1};
  const std::vector<std::string> all = [&] {
    rows.Lower();
    return rows.bench.Lower(rows.add, rows.y);
  }();
  EXPECT_THAT(all, testing::Contains("v.shape n0=32 n1=2 n2=1 n3=1"));
  EXPECT_THAT(all, testing::Contains("v.epilogue op=maxabs dims=1 dst=0x2c0"));
}

struct NoEpilogueCase {
  const char* why;
  void (*spoil)(RowsAndExtremes& rows);
};

TEST(LowerBinary, LeavesReductionsThatAreNotOfWholeRows) {
  const NoEpilogueCase cases[] = {
      {"rows that do not fill the lanes",
       [](RowsAndExtremes& rows) { rows.bench.hardware().vector_lanes_32 = 64; }},
      {"columns",
       [](RowsAndExtremes& rows) {
         rows.reduce->dims = {{32, false}, {2, true}};
       }},
      {"a part of the rows", [](RowsAndExtremes& rows) { rows.reduce->x_base_elems = 32; }},
      {"fewer rows than are made",
       [](RowsAndExtremes& rows) {
         rows.reduce->dims[1].extent = 1;
         rows.bench.network().values[static_cast<size_t>(rows.extremes)].shape = {1};
       }},
      {"a place", [](RowsAndExtremes& rows) { rows.reduce->place = true; }},
      {"another value", [](RowsAndExtremes& rows) { rows.reduce->x = rows.add.a.value; }},
      {"results in DRAM",
       [](RowsAndExtremes& rows) { rows.extremes = rows.bench.InDram(Dtype::kF32, {2}); }},
      {"rows with gaps", [](RowsAndExtremes& rows) { rows.add.y_pitch = 33; }},
      {"integers",
       [](RowsAndExtremes& rows) {
         rows.add.op = BinaryOp::kMulRound;
         rows.bench.network().values[static_cast<size_t>(rows.y)].dtype = Dtype::kI8;
       }},
  };
  for (const NoEpilogueCase& c : cases) {
    RowsAndExtremes rows(2);
    c.spoil(rows);
    for (const std::string& line : rows.Lower())
      EXPECT_THAT(line, testing::Not(testing::HasSubstr("epilogue"))) << c.why;
  }
}

struct RowDimensionCase {
  std::array<int32_t, 4> extent;
  int32_t row_elems;
  int32_t dimension;
};

class RowDimensionTest : public testing::TestWithParam<RowDimensionCase> {};

TEST_P(RowDimensionTest, IsTheOutermostIfItDividesIntoRows) {
  EXPECT_EQ(RowDimension(GetParam().extent, GetParam().row_elems), GetParam().dimension);
}

INSTANTIATE_TEST_SUITE_P(Cases, RowDimensionTest,
                         testing::ValuesIn(std::vector<RowDimensionCase>{
                             {{64, 1, 1, 1}, 8, 0},
                             {{2, 32, 1, 1}, 8, 1},
                             {{2, 4, 8, 1}, 8, 2},
                             {{2, 2, 2, 8}, 8, 3},
                             {{3, 64, 1, 1}, 8, -1},
                             {{2, 30, 1, 1}, 8, -1},
                         }));

TEST(Binary, RowsReadTheStripAndTheWholeOperand) {
  Binary op = Add(0, 1, 64);
  op.row_elems = 8;
  op.b_is_image = true;
  const auto rows =
      op.Rows({2, 5}, std::vector<HeldRows>{{.image = 1, .value = 7, .rows = {1, 6}}});
  const auto& part = dynamic_cast<const Binary&>(*rows);
  EXPECT_EQ(part.extent[0], 24);
  EXPECT_EQ(part.a.value, 0);
  EXPECT_EQ(part.a.base_elems, 16) << "of the whole: from row 2";
  EXPECT_EQ(part.b.value, 7);
  EXPECT_EQ(part.b.base_elems, 8) << "of the strip: from the second of its rows";
}

}  // namespace
}  // namespace acme::compiler
