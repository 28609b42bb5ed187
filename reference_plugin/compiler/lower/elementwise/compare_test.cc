// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// One element of b for five of a row, the same three for both planes.
TEST(LowerCompare, Broadcasts) {
  LoweringBench bench;
  Compare op;
  op.op = CompareOp::kLess;
  op.a = bench.InScratchpad(Dtype::kI16, {2, 3, 5});
  op.b = bench.InScratchpad(Dtype::kI16, {3, 1});
  const ValueId y = bench.InScratchpad(Dtype::kBool, {2, 3, 5});
  const std::vector<std::vector<int32_t>> shapes = {{2, 3, 5}, {3, 1}};
  op.walk = PlanWalk(shapes, {2, 3, 5});
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("v.shape n0=5 n1=3 n2=2 n3=1", "v.view view=dst s0=1 s1=5 s2=15 s3=30",
                          "v.view view=a s0=2 s1=10 s2=30", "v.view view=b s1=2",
                          "v.compare op=lt dtype=i16 dst=0x140 a=0x40 b=0xc0"));
}

// Of six dimensions that are broadcast in turn an instruction walks four; it is repeated for the other two.
TEST(LowerCompare, DimensionsBeyondFourAreWalkedAround) {
  LoweringBench bench;
  Compare op;
  op.a = bench.InScratchpad(Dtype::kI8, {2, 3, 1, 5, 1, 7});
  op.b = bench.InScratchpad(Dtype::kI8, {1, 3, 4, 1, 6, 1});
  const ValueId y = bench.InScratchpad(Dtype::kBool, {2, 3, 4, 5, 6, 7});
  const std::vector<std::vector<int32_t>> shapes = {{2, 3, 1, 5, 1, 7}, {1, 3, 4, 1, 6, 1}};
  op.walk = PlanWalk(shapes, {2, 3, 4, 5, 6, 7});
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("v.shape n0=7 n1=6 n2=5 n3=4", "v.view view=dst s0=1 s1=7 s2=42 s3=210",
                          "v.view view=a s0=1 s2=7", "v.view view=b s1=1 s3=6",
                          "v.compare op=eq dtype=i8 dst=0x240 a=0x40 b=0x180",
                          "v.compare op=eq dtype=i8 dst=0x588 a=0x63 b=0x198",
                          "v.compare op=eq dtype=i8 dst=0x8d0 a=0x86 b=0x1b0",
                          "v.compare op=eq dtype=i8 dst=0xc18 a=0xa9 b=0x180",
                          "v.compare op=eq dtype=i8 dst=0xf60 a=0xcc b=0x198",
                          "v.compare op=eq dtype=i8 dst=0x12a8 a=0xef b=0x1b0"));
}

// [1, 6, 4, 3] beside [1, 6, 4, 1]: two of the six rows, of what is held from the second row on.
TEST(Compare, RowsOfImages) {
  Compare op;
  op.a = 5;
  op.b = 6;
  const std::vector<std::vector<int32_t>> shapes = {{1, 6, 4, 3}, {1, 6, 4, 1}};
  op.walk = PlanWalk(shapes, {1, 6, 4, 3});
  op.row_elems = 12;
  EXPECT_TRUE(HasRows(op.walk, 6, 12));
  EXPECT_FALSE(HasRows(op.walk, 3, 12));
  EXPECT_EQ(op.Images(), (std::vector<ValueId>{5, 6}));
  const auto rows =
      op.Rows({2, 4}, std::vector<HeldRows>{{.image = 5, .value = 9, .rows = {1, 5}}});
  const auto& part = dynamic_cast<const Compare&>(*rows);
  EXPECT_EQ(part.a, 9);
  EXPECT_EQ(part.b, 6);
  EXPECT_EQ(part.base_elems, (std::array<int64_t, 2>{12, 8}));
  EXPECT_EQ(ToString(part.walk), "walk 3(1 0) 8(3 1)");
}

TEST(LowerCompare, BeginsWhereItsRowsDo) {
  LoweringBench bench;
  Compare op;
  op.a = bench.InScratchpad(Dtype::kI8, {4, 3});
  op.b = bench.InScratchpad(Dtype::kI8, {4, 1});
  const ValueId y = bench.InScratchpad(Dtype::kBool, {2, 3});
  const std::vector<std::vector<int32_t>> shapes = {{2, 3}, {2, 1}};
  op.walk = PlanWalk(shapes, {2, 3});
  op.base_elems = {6, 2};
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("v.compare op=eq dtype=i8 dst=0x140 a=0x46 b=0xc2"));
}

}  // namespace
}  // namespace acme::compiler
