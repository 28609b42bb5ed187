// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

TEST(DenseStrides, AreProductsOfTheInnerExtents) {
  EXPECT_EQ(DenseStrides({2, 3, 4, 5}), (Extent4{1, 2, 6, 24}));
  EXPECT_EQ(DenseStrides({1, 1, 1, 1}), (Extent4{1, 1, 1, 1}));
}

struct ChooseCase {
  Extent4 extent;
  int64_t max_elems;
  Extent4 box;
};

class ChooseBoxTest : public testing::TestWithParam<ChooseCase> {};

TEST_P(ChooseBoxTest, CutsOuterDimensionsFirst) {
  EXPECT_EQ(ChooseBox(GetParam().extent, GetParam().max_elems), GetParam().box);
}

INSTANTIATE_TEST_SUITE_P(Cases, ChooseBoxTest,
                         testing::ValuesIn(std::vector<ChooseCase>{
                             {{10, 10, 1, 1}, 100, {10, 10, 1, 1}},
                             {{10, 10, 1, 1}, 99, {10, 5, 1, 1}},
                             {{10, 10, 1, 1}, 50, {10, 5, 1, 1}},
                             {{10, 10, 1, 1}, 49, {10, 3, 1, 1}},
                             {{10, 10, 1, 1}, 9, {5, 1, 1, 1}},
                             {{7, 1, 1, 1}, 1, {1, 1, 1, 1}},
                             {{4, 4, 4, 4}, 64, {4, 4, 4, 1}},
                             {{4, 4, 4, 4}, 32, {4, 4, 2, 1}},
                         }));

TEST(ForEachBox, ClipsTheLastOnes) {
  std::vector<std::pair<Extent4, Extent4>> parts;
  ForEachBox({5, 3, 1, 1}, {4, 2, 1, 1},
             [&](const Extent4& origin, const Extent4& part) { parts.emplace_back(origin, part); });
  using Pair = std::pair<Extent4, Extent4>;
  EXPECT_THAT(parts,
              ElementsAre(Pair{{0, 0, 0, 0}, {4, 2, 1, 1}}, Pair{{4, 0, 0, 0}, {1, 2, 1, 1}},
                          Pair{{0, 2, 0, 0}, {4, 1, 1, 1}}, Pair{{4, 2, 0, 0}, {1, 1, 1, 1}}));
}

// Reads a part of x and stores a part of y, and says where the vector engine would find them.
class CopyBox : public StandInOp {
 public:
  CopyBox(OperandLayout x, OperandLayout y, Extent4 origin, Extent4 box)
      : StandInOp({x.value}), x_(x), y_(y), origin_(origin), box_(box) {}

  Expected<void> Lower(ValueId, LoweringContext& context) const override {
    const int64_t x_bytes = StepBytesOf(x_, box_, context);
    const int64_t step = context.BeginStep(x_bytes + StepBytesOf(y_, box_, context));
    read = ReadBox(x_, origin_, box_, step, context);
    written = ResultBox(y_, origin_, box_, step + x_bytes, context);
    StoreBox(y_, origin_, box_, written, context);
    return {};
  }

  mutable ScratchpadBox read;
  mutable ScratchpadBox written;

 private:
  OperandLayout x_;
  OperandLayout y_;
  Extent4 origin_;
  Extent4 box_;
};

// Rows of 10 of int16; a part of 4 x 3 from (2, 1) begins at element 12, byte 24.
constexpr Extent4 kRows = {10, 8, 1, 1};
constexpr Extent4 kOrigin = {2, 1, 0, 0};
constexpr Extent4 kPart = {4, 3, 1, 1};

TEST(Box, InTheScratchpadIsSeenWhereItIs) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI16, {8, 10});
  const ValueId y = bench.InScratchpad(Dtype::kI16, {8, 10});
  const CopyBox op({x, DenseStrides(kRows)}, {y, DenseStrides(kRows)}, kOrigin, kPart);
  EXPECT_THAT(bench.Lower(op, y), testing::IsEmpty());
  EXPECT_EQ(op.read.offset, 64 + 24);
  EXPECT_EQ(op.read.stride_bytes, (Extent4{2, 20, 160, 160}));
  EXPECT_EQ(op.written.offset, 64 + 192 + 64 + 24);
}

TEST(Box, InDramIsBroughtDenseAndTakenBack) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kI16, {8, 10});
  const ValueId y = bench.InDram(Dtype::kI16, {8, 10}, 256);
  const CopyBox op({x, DenseStrides(kRows)}, {y, DenseStrides(kRows)}, kOrigin, kPart);
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre("ld.shape n0=4 n1=3 n2=1 n3=1", "ld.dram_stride s1=20 s2=160 s3=160",
                  "ld.spm_stride s0=2 s1=8 s2=24 s3=24",
                  "ld.nd binding=1 dram=0x18 spm=0x40 elem_bytes=2", "st.shape n0=4 n1=3 n2=1 n3=1",
                  "st.dram_stride s1=20 s2=160 s3=160", "st.spm_stride s0=2 s1=8 s2=24 s3=24",
                  "st.nd binding=1 dram=0x118 spm=0x80 elem_bytes=2"));
  EXPECT_EQ(op.read.stride_bytes, (Extent4{2, 8, 24, 24}));
}

TEST(Box, WholeRowsAreOneCopy) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kI16, {8, 10});
  const ValueId y = bench.OutputInScratchpad(Dtype::kI16, {8, 10});
  const CopyBox op({x, DenseStrides(kRows)}, {y, DenseStrides(kRows)}, {0, 2, 0, 0}, {10, 3, 1, 1});
  EXPECT_THAT(bench.Lower(op, y), ElementsAre("ld.copy binding=1 dram=0x28 spm=0x140 bytes=60",
                                              "st.copy binding=3 dram=0x28 spm=0x68 bytes=60"));
}

// The engine's innermost dimension has no stride in DRAM: one that is free takes its place.
TEST(Box, ElementsThatLieApartInDramAreBroughtWithoutTheirGaps) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kI16, {8, 10});
  const ValueId y = bench.InScratchpad(Dtype::kI16, {8});
  const CopyBox op({x, {10, 0, 0, 0}, 3}, {y, DenseStrides({8, 1, 1, 1})}, {}, {8, 1, 1, 1});
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("ld.shape n0=1 n1=8 n2=1 n3=1", "ld.dram_stride s1=20",
                          "ld.spm_stride s0=16 s1=2 s2=16 s3=16",
                          "ld.nd binding=1 dram=0x6 spm=0xc0 elem_bytes=2"));
  EXPECT_EQ(op.read.stride_bytes[0], 2);
}

TEST(Box, ElementsThatLieApartInEveryDimensionAreTransfersOfTheirOwn) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kI16, {2, 2, 2, 2, 2});
  const ValueId y = bench.InScratchpad(Dtype::kI16, {2, 2, 2, 2});
  const CopyBox op({x, {2, 4, 8, 16}, 1}, {y, DenseStrides({2, 2, 2, 2})}, {}, {2, 2, 2, 2});
  const std::vector<std::string> code = bench.Lower(op, y);
  EXPECT_EQ(std::count_if(code.begin(), code.end(),
                          [](const std::string& line) { return line.starts_with("ld.nd "); }),
            2)
      << testing::PrintToString(code);
  EXPECT_THAT(code, testing::Contains("ld.nd binding=1 dram=0x2 spm=0xc0 elem_bytes=2"));
  EXPECT_THAT(code, testing::Contains("ld.nd binding=1 dram=0x6 spm=0xc2 elem_bytes=2"));
}

TEST(Box, WhatIsBroadcastIsBroughtOnce) {
  LoweringBench bench;
  const ValueId x = bench.Constant(Dtype::kI16, {10}, Counting(20));
  const ValueId y = bench.InScratchpad(Dtype::kI16, {8, 10});
  const CopyBox op({x, {1, 0, 0, 0}}, {y, DenseStrides(kRows)}, kOrigin, kPart);
  EXPECT_THAT(bench.Lower(op, y), ElementsAre("ld.copy dram=0x4 spm=0x140 bytes=8"));
  EXPECT_EQ(op.read.stride_bytes, (Extent4{2, 0, 0, 0}));
}

}  // namespace
}  // namespace acme::compiler
