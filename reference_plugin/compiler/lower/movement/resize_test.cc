// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// [1, 2, 2, 1] to [1, 4, 4, 1]: each row and column twice.
Resize Doubled(ValueId x) {
  Resize op;
  op.x = x;
  op.in_h = op.in_w = 2;
  op.rows = op.cols = {{0, 0}, {0, 0}, {1, 1}, {1, 1}};
  return op;
}

TEST(LowerResize, BringsATableOfRowsAndColumns) {
  LoweringBench bench;
  const Resize op = Doubled(bench.InScratchpad(Dtype::kI8, {1, 2, 2, 1}));
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 4, 4, 1});
  EXPECT_THAT(bench.LowerWork(op, y),
              ElementsAre("ld.copy spm=0x140 bytes=32",
                          "v.resize op=nearest dtype=i8 dst=0xc0 a=0x40 table=0x140"));
  const std::vector<uint8_t> samples = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  std::vector<uint8_t> table = samples;
  table.insert(table.end(), samples.begin(), samples.end());
  EXPECT_EQ(bench.constants(), table);
}

// Two rows of the result a step: the lower two see the second row of the image alone, and their
// samples count from it. Operand, result and table take 64 bytes each.
TEST(LowerResize, TilesSeeTheirPartOfTheImage) {
  LoweringBench bench(64 + 64 + 64);
  Resize op = Doubled(bench.InDram(Dtype::kI8, {1, 2, 2, 16}));
  op.channels = 16;
  const ValueId y = bench.InDram(Dtype::kI8, {1, 4, 4, 16}, 4096);
  // 4 columns of 16 channels: two rows are 128 bytes, too many; one row each.
  EXPECT_THAT(
      bench.LowerWork(op, y),
      ElementsAre("ld.copy spm=0xc0 bytes=20", "ld.copy binding=1 spm=0x40 bytes=32",
                  "v.resize op=nearest dtype=i8 dst=0x80 a=0x40 table=0xc0",
                  "st.copy binding=1 dram=0x1000 spm=0x80 bytes=64", "ld.copy spm=0x1c0 bytes=20",
                  "ld.copy binding=1 spm=0x140 bytes=32",
                  "v.resize op=nearest dtype=i8 dst=0x180 a=0x140 table=0x1c0",
                  "st.copy binding=1 dram=0x1040 spm=0x180 bytes=64", "ld.copy spm=0x2c0 bytes=20",
                  "ld.copy binding=1 dram=0x20 spm=0x240 bytes=32",
                  "v.resize op=nearest dtype=i8 dst=0x280 a=0x240 table=0x2c0",
                  "st.copy binding=1 dram=0x1080 spm=0x280 bytes=64", "ld.copy spm=0x3c0 bytes=20",
                  "ld.copy binding=1 dram=0x20 spm=0x340 bytes=32",
                  "v.resize op=nearest dtype=i8 dst=0x380 a=0x340 table=0x3c0",
                  "st.copy binding=1 dram=0x10c0 spm=0x380 bytes=64"));
  EXPECT_EQ(bench.constants().size(), 20u) << "equal tables are one constant";
}

TEST(Resize, BilinearSamplesHaveThreeNumbers) {
  LoweringBench bench;
  Resize op;
  op.op = ResizeOp::kBilinear;
  op.x = bench.InScratchpad(Dtype::kI8, {1, 2, 1, 1});
  op.in_h = 2;
  op.rows = {{0, 1, 512}};
  op.cols = {{0, 0, 0}};
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 1, 1, 1});
  EXPECT_EQ(bench.LowerWork(op, y).size(), 2u);
  EXPECT_EQ(bench.constants(), (std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0,  //
                                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Resize, StepBytesAreOfTheWorstTile) {
  Resize op = Doubled(0);
  op.rows = {{0, 0}, {0, 0}, {1, 1}};
  op.channels = 64;
  // Tiles of 2 rows from row 0 and from row 2 see one row of the image, of 3 rows both.
  EXPECT_EQ(op.StepBytes({64, 1, 2}), 64 + 128 + 64);
  EXPECT_EQ(op.StepBytes({64, 1, 3}), 128 + 192 + 64);
}

TEST(Resize, RowsSeeWhatIsHeld) {
  Resize op;
  op.x = 4;
  op.in_h = 3;
  op.rows = {{0, 0}, {0, 0}, {1, 1}, {1, 1}, {2, 2}, {2, 2}};
  op.cols = {{0, 0}};
  EXPECT_EQ(op.RowsRead(op.x, {1, 4}), (RowRange{0, 2}));
  const auto rows =
      op.Rows({2, 5}, std::vector<HeldRows>{{.image = 4, .value = 7, .rows = {1, 3}}});
  const auto& part = dynamic_cast<const Resize&>(*rows);
  EXPECT_EQ(part.x, 7);
  EXPECT_EQ(part.in_h, 2);
  ASSERT_EQ(part.rows.size(), 3u);
  EXPECT_EQ(part.rows.front().lo, 0);
  EXPECT_EQ(part.rows.back().hi, 1);
}

// Three columns with the second mirrored at both ends.
TEST(Resize, SamplesStandInAnyOrder) {
  LoweringBench bench;
  Resize op;
  op.x = bench.InScratchpad(Dtype::kI8, {1, 1, 3, 1});
  op.in_w = 3;
  op.rows = {{0, 0}};
  op.cols = {{1, 1}, {0, 0}, {1, 1}, {2, 2}, {1, 1}};
  EXPECT_EQ(op.StepBytes({1, 5, 1}), 64 + 64 + 64);
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 1, 5, 1});
  EXPECT_EQ(bench.LowerWork(op, y).size(), 2u);
  EXPECT_EQ(bench.constants(), (std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  //
                                                     1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(Resize, RowsOfAMirroredEdgeSeeBothSides) {
  Resize op;
  op.rows = {{2, 2}, {1, 1}, {0, 0}, {1, 1}, {2, 2}, {3, 3}, {2, 2}};
  EXPECT_EQ(op.RowsRead(op.x, {0, 4}), (RowRange{0, 3}));
  EXPECT_EQ(op.RowsRead(op.x, {5, 7}), (RowRange{2, 4}));
}

}  // namespace
}  // namespace acme::compiler
