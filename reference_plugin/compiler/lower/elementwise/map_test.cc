// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

TEST(LowerMap, FunctionsBringTheirConfiguration) {
  LoweringBench bench;
  Map op;
  op.x = bench.InScratchpad(Dtype::kF32, {2, 5});
  const ValueId y = bench.InScratchpad(Dtype::kF32, {2, 5});
  op.in = op.out = Dtype::kF32;
  op.function = UnaryOp::kLeakyRelu;
  op.b.mult = 9;
  op.clamp = {.lo = -1, .hi = 1};
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre("v.shape n0=10 n1=1 n2=1 n3=1", "v.view view=dst s0=4 s1=40 s2=40 s3=40",
                  "v.view view=a s0=4 s1=40 s2=40 s3=40", "v.quant view=a rounding=double",
                  "v.quant view=b mult=9 rounding=double", "v.quant view=dst rounding=double",
                  "v.clamp lo=-1 hi=1", "v.unary op=lrelu dtype=f32 dst=0xc0 a=0x40"));
}

TEST(LowerMap, ATableComesOnceBeforeAllPieces) {
  LoweringBench bench;
  Map op;
  op.x = bench.InScratchpad(Dtype::kI8, {10000});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {10000});
  op.function = Map::Table{LutKind::kDirect, Counting(256)};
  // 10048 bytes each from 64 and from 64 + 10048 + 64 on; the table behind them; pieces of 8192.
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy spm=0x4f40 bytes=256",
                          "v.lut kind=direct dtype=i8 out=i8 dst=0x27c0 a=0x40",
                          "v.lut kind=direct dtype=i8 out=i8 dst=0x47c0 a=0x2040"));
  EXPECT_EQ(bench.constants(), Counting(256));
}

TEST(LowerMap, ConversionsChangeTheElementSize) {
  LoweringBench bench(3 * 64 + 500);
  Map op;
  op.x = bench.InDram(Dtype::kF32, {101});
  const ValueId y = bench.InDram(Dtype::kI8, {101}, 1024);
  op.in = Dtype::kF32;
  op.out = Dtype::kI8;
  op.function = ConvertOp::kQuantize;
  // 5 bytes an element: 100 fit beside 64 bytes of alignment for each operand and the table.
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy binding=1 spm=0x40 bytes=400",
                          "v.convert op=quant dtype=f32 out=i8 dst=0x200 a=0x40",
                          "st.copy binding=1 dram=0x400 spm=0x200 bytes=100",
                          "ld.copy binding=1 dram=0x190 spm=0x2c0 bytes=4",
                          "v.convert op=quant dtype=f32 out=i8 dst=0x300 a=0x2c0",
                          "st.copy binding=1 dram=0x464 spm=0x300 bytes=1"));
}

TEST(Map, RowsBeginWithinTheStrip) {
  Map op;
  op.x = 3;
  op.row_elems = 15;
  const auto rows =
      op.Rows({4, 7}, std::vector<HeldRows>{{.image = 3, .value = 9, .rows = {2, 8}}});
  const auto& part = dynamic_cast<const Map&>(*rows);
  EXPECT_EQ(part.x, 9);
  EXPECT_EQ(part.x_base_elems, 30);
}

}  // namespace
}  // namespace acme::compiler
