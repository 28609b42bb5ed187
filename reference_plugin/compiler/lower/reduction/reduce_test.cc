// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/reduction/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr bool kReduced = true;

TEST(MergeReduceDimensions, JoinsNeighboursOfOneKind) {
  EXPECT_THAT(MergeReduceDimensions({2, 7, 7, 40}, {false, true, true, false}),
              ElementsAre(ReduceDimension{40}, ReduceDimension{49, kReduced}, ReduceDimension{2}));
  EXPECT_THAT(MergeReduceDimensions({2, 3, 4}, {true, true, true}),
              ElementsAre(ReduceDimension{24, kReduced}));
}

TEST(MergeReduceDimensions, SkipsExtentsOfOne) {
  EXPECT_THAT(MergeReduceDimensions({4, 1, 6}, {false, true, false}),
              ElementsAre(ReduceDimension{24}));
  EXPECT_THAT(MergeReduceDimensions({1, 1}, {true, false}), IsEmpty());
}

TEST(Reduce, CountsWhatGoesIntoAResult) {
  Reduce reduce;
  reduce.dims = {{40}, {49, kReduced}, {2}, {3, kReduced}};
  EXPECT_EQ(reduce.Count(), 147);
}

// -- Lowering --------------------------------------------------------------------------------------

TEST(LowerReduce, WhatFitsIsOneInstruction) {
  LoweringBench bench;
  Reduce op;
  op.x = bench.InScratchpad(Dtype::kI8, {4, 6, 10});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {4, 10});
  op.op = ReduceOp::kMean;
  op.dims = {{10}, {6, kReduced}, {4}};
  op.in_zp = 3;
  op.out_zp = -4;
  op.scale = {5, -2};
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("v.clamp lo=-2147483648 hi=2147483647", "v.shape n0=10 n1=6 n2=4 n3=1",
                          "v.view view=dst s0=1 s2=10", "v.view view=a s0=1 s1=10 s2=60",
                          "v.quant view=a zp=3 rounding=double",
                          "v.quant view=dst zp=-4 mult=5 shift=-2 rounding=double",
                          "v.reduce op=mean dims=2 dtype=i8 out=i8 dst=0x180 a=0x40"));
}

// The engine requantises sums of bytes, but not of 32 bits.
TEST(LowerReduce, SumsOfSumsAreRequantisedApart) {
  LoweringBench bench;
  Reduce op;
  op.x = bench.InScratchpad(Dtype::kI32, {4, 10});
  op.in = Dtype::kI32;
  op.dims = {{10}, {4, kReduced}};
  const ValueId y = bench.InScratchpad(Dtype::kI8, {10});
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("v.reduce op=sum dims=2 dtype=i32 out=i32 dst=0x1c0 a=0x40",
                          "v.convert op=requant dtype=i32 out=i8 dst=0x140 a=0x1c0"));
  op.out = Dtype::kI64;
  EXPECT_THAT(bench.LowerWork(op, bench.InScratchpad(Dtype::kI64, {10})),
              ElementsAre(testing::StartsWith("v.reduce op=sum dims=2 dtype=i32 out=i64 ")));
}

// Places are looked for in whole rows, however few of them fit: 100 bytes and a result at a time.
TEST(LowerReduce, PlacesAreOfAllThatGoesIntoAResult) {
  LoweringBench bench(3 * 64);
  Reduce op;
  op.x = bench.InDram(Dtype::kI8, {2, 100, 70});
  const ValueId y = bench.InScratchpad(Dtype::kI32, {2, 70});
  op.op = ReduceOp::kMin;
  op.place = true;
  op.out = Dtype::kI32;
  op.dims = {{70}, {100, kReduced}, {2}};
  const std::vector<std::string> lines = bench.LowerWork(op, y);
  ASSERT_EQ(lines.size(), 2u * 2 * 70);
  EXPECT_EQ(lines[1].substr(0, 45), "v.reduce op=min dims=2 dtype=i8 out=i32 dst=0");
  EXPECT_EQ(lines[1].substr(lines[1].size() - 8), " place=1");
}

// A step of 512 bytes holds two parts of 125, two partial sums, the result and a scalar: 1000
// elements halved three times.
TEST(LowerReduce, WhatDoesNotFitIsReducedInPartsAndCombined) {
  LoweringBench bench(512);
  Reduce op;
  op.x = bench.InDram(Dtype::kI8, {1000});
  const ValueId y = bench.InDram(Dtype::kI32, {1}, 1024);
  op.out = Dtype::kI32;
  op.dims = {{1000, kReduced}};
  const std::vector<std::string> lines = bench.LowerWork(op, y);
  ASSERT_EQ(lines.size(), 8u * 2 + 7 + 2);
  // Parts in turn at 0x40 and 0xc0, the sum at 0x140, the next part's at 0x180.
  EXPECT_THAT(std::vector<std::string>(lines.begin(), lines.begin() + 5),
              ElementsAre("ld.copy binding=1 spm=0x40 bytes=125",
                          "v.reduce op=sum dims=1 dtype=i8 out=i32 dst=0x140 a=0x40",
                          "ld.copy binding=1 dram=0x7d spm=0xc0 bytes=125",
                          "v.reduce op=sum dims=1 dtype=i8 out=i32 dst=0x180 a=0xc0",
                          "v.binary op=add dtype=i32 dst=0x140 a=0x140 b=0x180"));
  EXPECT_THAT(std::vector<std::string>(lines.end() - 2, lines.end()),
              ElementsAre("v.unary op=copy dtype=i32 dst=0x200 a=0x140",
                          "st.copy binding=1 dram=0x400 spm=0x200 bytes=4"));
}

struct FinishCase {
  const char* name;
  ReduceOp op;
  Dtype in;
  Dtype out;
  std::vector<std::string> finish;  // behind the last part
};

class ReduceInParts : public testing::TestWithParam<FinishCase> {};

TEST_P(ReduceInParts, FinishesAsTheTypeAsks) {
  const FinishCase& c = GetParam();
  const auto elem_bytes = static_cast<int32_t>(SizeBytes(c.in));
  // Two parts of 64 bytes, beside five units of 64.
  LoweringBench bench(6 * 64);
  Reduce op;
  op.x = bench.InDram(c.in, {512 / elem_bytes});
  const ValueId y = bench.InScratchpad(c.out, {1});
  op.op = c.op;
  op.in = c.in;
  op.out = c.out;
  op.dims = {{512 / elem_bytes, kReduced}};
  const std::vector<std::string> lines = bench.LowerWork(op, y);
  ASSERT_GE(lines.size(), c.finish.size());
  EXPECT_EQ(
      std::vector<std::string>(lines.end() - static_cast<ptrdiff_t>(c.finish.size()), lines.end()),
      c.finish);
}

// The step stands at 0xc0: two parts, the partial results at 0x140 and 0x180, a scalar at 0x1c0.
INSTANTIATE_TEST_SUITE_P(Cases, ReduceInParts,
                         testing::ValuesIn(std::vector<FinishCase>{
                             {"IntegersAreRequantised",
                              ReduceOp::kMean,
                              Dtype::kI8,
                              Dtype::kI8,
                              {"v.binary op=add dtype=i32 dst=0x140 a=0x140 b=0x180",
                               "v.convert op=requant dtype=i32 out=i8 dst=0x40 a=0x140"}},
                             {"MeansOfFloatsAreDivided",
                              ReduceOp::kMean,
                              Dtype::kF32,
                              Dtype::kF32,
                              {"v.binary op=add dtype=f32 dst=0x140 a=0x140 b=0x180",
                               "v.fill dtype=f32 dst=0x1c0 value=1124073472",  // 128
                               "v.binary op=div dtype=f32 dst=0x140 a=0x140 b=0x1c0",
                               "v.unary op=copy dtype=f32 dst=0x40 a=0x140"}},
                             {"MeansOfSquaresToo",
                              ReduceOp::kMeanSquares,
                              Dtype::kF32,
                              Dtype::kF32,
                              {"v.reduce op=sumsq dims=1 dtype=f32 out=f32 dst=0x180 a=0x100",
                               "v.binary op=add dtype=f32 dst=0x140 a=0x140 b=0x180",
                               "v.fill dtype=f32 dst=0x1c0 value=1124073472",  // 128
                               "v.binary op=div dtype=f32 dst=0x140 a=0x140 b=0x1c0",
                               "v.unary op=copy dtype=f32 dst=0x40 a=0x140"}},
                             {"ExtremesAreCompared",
                              ReduceOp::kMax,
                              Dtype::kI16,
                              Dtype::kI16,
                              {"v.binary op=max dtype=i16 dst=0x140 a=0x140 b=0x180",
                               "v.unary op=copy dtype=i16 dst=0x40 a=0x140"}},
                         }),
                         [](const auto& info) { return info.param.name; });

// Five dimensions that alternate: the outermost kept one is walked here.
TEST(LowerReduce, TheFifthDimensionIsWalked) {
  LoweringBench bench;
  Reduce op;
  op.x = bench.InScratchpad(Dtype::kI8, {3, 2, 2, 2, 2});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {3, 2, 2});
  op.op = ReduceOp::kMax;
  op.dims = {{2}, {2, kReduced}, {2}, {2, kReduced}, {3}};
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("v.reduce op=max dims=10 dtype=i8 out=i8 dst=0xc0 a=0x40",
                          "v.reduce op=max dims=10 dtype=i8 out=i8 dst=0xc4 a=0x50",
                          "v.reduce op=max dims=10 dtype=i8 out=i8 dst=0xc8 a=0x60"));
}

// The channels of [1, 6, 4, 3]: of two of the six rows, where the rows from the second on are held.
TEST(Reduce, RowsOfImages) {
  Reduce op;
  op.x = 5;
  op.dims = {{3, kReduced}, {24}};
  op.row_elems = 4;
  EXPECT_TRUE(op.HasRows(6, 4));
  EXPECT_FALSE(op.HasRows(6, 3));
  const auto rows =
      op.Rows({2, 4}, std::vector<HeldRows>{{.image = 5, .value = 9, .rows = {1, 5}}});
  const auto& part = dynamic_cast<const Reduce&>(*rows);
  EXPECT_EQ(part.x, 9);
  EXPECT_EQ(part.x_base_elems, 12);
  EXPECT_EQ(part.dims, (std::vector<ReduceDimension>{{3, kReduced}, {8}}));
  // Rows and columns of every channel are summed up: no row is computed apart.
  op.dims = {{3}, {24, kReduced}};
  EXPECT_FALSE(op.HasRows(6, 4));
}

}  // namespace
}  // namespace acme::compiler
