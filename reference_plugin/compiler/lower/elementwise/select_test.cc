// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/elementwise/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

Select SelectOf(ValueId mask, ValueId yes, ValueId no, ValueId y, LoweringBench& bench) {
  Select op;
  op.mask = mask;
  op.yes = yes;
  op.no = no;
  const Network& network = bench.network();
  const std::vector<std::vector<int32_t>> shapes = {
      network.value(mask).shape, network.value(yes).shape, network.value(no).shape};
  op.walk = PlanWalk(shapes, network.value(y).shape);
  return op;
}

// Floats are copied as bits. The mask is the same along a row, what is taken where it is 0 along a column.
TEST(LowerSelect, CopiesOneOperandAndWritesTheOtherOverIt) {
  LoweringBench bench;
  const ValueId mask = bench.InScratchpad(Dtype::kBool, {4, 1});
  const ValueId yes = bench.InScratchpad(Dtype::kF32, {4, 10});
  const ValueId no = bench.InScratchpad(Dtype::kF32, {10});
  const ValueId y = bench.InScratchpad(Dtype::kF32, {4, 10});
  EXPECT_THAT(bench.Lower(SelectOf(mask, yes, no, y, bench), y),
              ElementsAre("v.clamp lo=-2147483648 hi=2147483647", "v.shape n0=10 n1=4 n2=1 n3=1",
                          "v.view view=dst s0=4 s1=40 s2=160 s3=160", "v.view view=a s0=4",
                          "v.unary op=copy dtype=i32 dst=0x240 a=0x1c0", "v.view view=a s0=4 s1=40",
                          "v.view view=b s1=1", "v.select dtype=i32 dst=0x240 a=0xc0 b=0x40"));
}

// A step holds no more than 1024 bytes: 150 elements of mask, operand and result, twice.
TEST(LowerSelect, WhatDoesNotFitIsCut) {
  LoweringBench bench(1024);
  const ValueId mask = bench.InDram(Dtype::kBool, {300}, 0);
  const ValueId yes = bench.InDram(Dtype::kI8, {300}, 1000);
  const ValueId no = bench.Constant(Dtype::kI8, {1}, {7});
  const ValueId y = bench.InDram(Dtype::kI8, {300}, 2000);
  EXPECT_THAT(bench.LowerWork(SelectOf(mask, yes, no, y, bench), y),
              ElementsAre("ld.copy binding=1 spm=0x40 bytes=150",
                          "ld.copy binding=1 dram=0x3e8 spm=0x100 bytes=150",
                          "ld.copy spm=0x1c0 bytes=1", "v.unary op=copy dtype=i8 dst=0x200 a=0x1c0",
                          "v.select dtype=i8 dst=0x200 a=0x100 b=0x40",
                          "st.copy binding=1 dram=0x7d0 spm=0x200 bytes=150",
                          "ld.copy binding=1 dram=0x96 spm=0x300 bytes=150",
                          "ld.copy binding=1 dram=0x47e spm=0x3c0 bytes=150",
                          "ld.copy spm=0x480 bytes=1", "v.unary op=copy dtype=i8 dst=0x4c0 a=0x480",
                          "v.select dtype=i8 dst=0x4c0 a=0x3c0 b=0x300",
                          "st.copy binding=1 dram=0x866 spm=0x4c0 bytes=150"));
}

// Of what differs from row to row; a row of channels is there as a whole.
TEST(Select, RowsOfImages) {
  Select op;
  op.mask = 5;
  op.yes = 6;
  op.no = 7;
  const std::vector<std::vector<int32_t>> shapes = {{1, 6, 4, 3}, {3}, {1, 6, 4, 3}};
  op.walk = PlanWalk(shapes, {1, 6, 4, 3});
  op.row_elems = 12;
  EXPECT_EQ(op.Images(), (std::vector<ValueId>{5, 7}));
  const auto rows =
      op.Rows({3, 6}, std::vector<HeldRows>{{.image = 5, .value = 9, .rows = {3, 6}}});
  const auto& part = dynamic_cast<const Select&>(*rows);
  EXPECT_EQ(part.mask, 9);
  EXPECT_EQ(part.yes, 6);
  EXPECT_EQ(part.no, 7);
  EXPECT_EQ(part.base_elems, (std::array<int64_t, 3>{0, 0, 36}));
  EXPECT_EQ(ToString(part.walk), "walk 3(1 1 1) 12(3 0 3)");
}

}  // namespace
}  // namespace acme::compiler
