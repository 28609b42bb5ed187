// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/movement/move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MergeMoveDimensions, JoinsWhatIsOneWalkOnBothSides) {
  // [2, 3, 4] of [2, 5, 4]: rows and columns join, the outermost does not.
  EXPECT_THAT(MergeMoveDimensions({{4, 1, 1}, {3, 4, 4}, {2, 20, 12}}),
              ElementsAre(MoveDimension{12, 1, 1}, MoveDimension{2, 20, 12}));
}

TEST(MergeMoveDimensions, DropsExtentsOfOne) {
  EXPECT_THAT(MergeMoveDimensions({{1, 7, 9}, {5, 1, 1}, {1, 5, 5}}),
              ElementsAre(MoveDimension{5, 1, 1}));
  EXPECT_THAT(MergeMoveDimensions({{1, 1, 1}}), IsEmpty());
}

TEST(MergeMoveDimensions, KeepsReversals) {
  EXPECT_THAT(MergeMoveDimensions({{4, -1, 1}, {3, 4, 4}}),
              ElementsAre(MoveDimension{4, -1, 1}, MoveDimension{3, 4, 4}));
}

TEST(ChooseMoveTile, TakesEverythingThatFits) {
  EXPECT_THAT(ChooseMoveTile({{8, 1, 1}, {4, 16, 8}}, 32), ElementsAre(8, 4));
}

TEST(ChooseMoveTile, CutsDimensionsThatAreContiguousNowhereFirst) {
  // A transposition of [5, 64, 32] to [5, 32, 64]: dimensions 0 and 1 are contiguous on a side.
  EXPECT_THAT(ChooseMoveTile({{64, 32, 1}, {32, 1, 64}, {5, 2048, 2048}}, 2048),
              ElementsAre(64, 32, 1));
  EXPECT_THAT(ChooseMoveTile({{64, 32, 1}, {32, 1, 64}, {5, 2048, 2048}}, 1024),
              ElementsAre(32, 32, 1));
}

TEST(ChooseMoveTile, GetsDownToOneElement) {
  EXPECT_THAT(ChooseMoveTile({{64, 2, 1}, {3, 200, 64}}, 1), ElementsAre(1, 1));
}

// -- Lowering --------------------------------------------------------------------------------------

Move Of(MovePiece piece) {
  Move move;
  move.pieces = {std::move(piece)};
  return move;
}

// [2, 8] turned around to [8, 2].
std::vector<MoveDimension> Turned() { return {{2, 8, 1}, {8, 1, 2}}; }

TEST(LowerMove, WithinTheScratchpadTheVectorEngineCopiesBits) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kF32, {2, 8});
  const ValueId y = bench.InScratchpad(Dtype::kF32, {8, 2});
  EXPECT_THAT(bench.Lower(Of({.from = x, .dims = Turned()}), y),
              ElementsAre("v.clamp lo=-2147483648 hi=2147483647", "v.shape n0=8 n1=2 n2=1 n3=1",
                          "v.view view=dst s0=8 s1=4", "v.view view=a s0=4 s1=32",
                          "v.unary op=copy dtype=i32 dst=0xc0 a=0x40"));
}

TEST(LowerMove, TheDmaEnginesMoveWhatBeginsOrEndsInDram) {
  LoweringBench bench;
  const ValueId in_dram = bench.InDram(Dtype::kI8, {2, 8});
  const ValueId resident = bench.InScratchpad(Dtype::kI8, {8, 2});
  // Sorted by the stride in DRAM: the 8 that are contiguous there first.
  EXPECT_THAT(bench.Lower(Of({.from = in_dram, .dims = Turned()}), resident),
              ElementsAre("ld.shape n0=8 n1=2 n2=1 n3=1", "ld.dram_stride s1=8",
                          "ld.spm_stride s0=2 s1=1", "ld.nd binding=1 spm=0x40 elem_bytes=1"));
  EXPECT_THAT(bench.Lower(Of({.from = resident, .dims = Turned()}), in_dram),
              ElementsAre("st.shape n0=2 n1=8 n2=1 n3=1", "st.dram_stride s1=2",
                          "st.spm_stride s0=8 s1=1", "st.nd binding=1 spm=0x40 elem_bytes=1"));
}

TEST(LowerMove, PartsBeginAtTheirBases) {
  LoweringBench bench;
  const ValueId x = bench.Constant(Dtype::kI16, {10}, Counting(20));
  const ValueId y = bench.InScratchpad(Dtype::kI16, {10});
  EXPECT_THAT(
      bench.LowerWork(
          Of({.from = x, .from_base_elems = 3, .to_base_elems = 5, .dims = {{2, 1, 1}}}), y),
      ElementsAre("ld.copy dram=0x6 spm=0x4a bytes=4"));
}

TEST(LowerMove, AnOutputIsStoredWhenAllPiecesAreThere) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {4});
  const ValueId y = bench.OutputInScratchpad(Dtype::kI8, {8});
  Move move;
  move.pieces = {{.from = x, .dims = {{4, 1, 1}}},
                 {.fill = 7, .to_base_elems = 4, .dims = {{4, 0, 1}}}};
  EXPECT_THAT(bench.LowerWork(move, y), ElementsAre("v.unary op=copy dtype=i8 dst=0xc0 a=0x40",
                                                    "v.fill dtype=i8 dst=0xc4 value=7",
                                                    "st.copy binding=3 spm=0xc0 bytes=8"));
}

TEST(LowerMove, DramIsFilledFromOneElement) {
  LoweringBench bench;
  const ValueId y = bench.InDram(Dtype::kI16, {100});
  EXPECT_THAT(bench.Lower(Of({.fill = 5, .to_base_elems = 10, .dims = {{90, 0, 1}}}), y),
              ElementsAre("v.shape n0=1 n1=1 n2=1 n3=1", "v.view view=dst s0=2",
                          "v.fill dtype=i16 dst=0x40 value=5", "st.shape n0=90 n1=1 n2=1 n3=1",
                          "st.dram_stride", "st.spm_stride",
                          "st.nd binding=1 dram=0x14 spm=0x40 elem_bytes=2"));
}

struct TilesCase {
  const char* name;
  int64_t step_bytes;
  size_t tiles;
};

class MoveThroughScratchpad : public testing::TestWithParam<TilesCase> {};

// 100 elements of two bytes, halved until a tile fits: a load and a store each.
TEST_P(MoveThroughScratchpad, InTilesThatFit) {
  LoweringBench bench(GetParam().step_bytes);
  const ValueId x = bench.InDram(Dtype::kI16, {100});
  const ValueId y = bench.InDram(Dtype::kI16, {100}, 256);
  EXPECT_EQ(bench.LowerWork(Of({.from = x, .dims = {{100, 1, 1}}}), y).size(),
            2 * GetParam().tiles);
}

INSTANTIATE_TEST_SUITE_P(Cases, MoveThroughScratchpad,
                         testing::ValuesIn(std::vector<TilesCase>{
                             {"ExactFit", 200, 1}, {"OneByteLess", 199, 2}, {"Quarters", 50, 4}}),
                         [](const auto& info) { return info.param.name; });

TEST(LowerMove, FiveDimensionsAreWalkedOutside) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {96});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {32});
  // 2 of each, no two of which are one walk.
  const MovePiece piece{.from = x,
                        .dims = {{2, 3, 1}, {2, 7, 2}, {2, 15, 4}, {2, 31, 8}, {2, 39, 16}}};
  EXPECT_THAT(bench.LowerWork(Of(piece), y),
              ElementsAre("v.unary op=copy dtype=i8 dst=0x100 a=0x40",
                          "v.unary op=copy dtype=i8 dst=0x110 a=0x67"));
}

TEST(Move, IsReshapeOnlyOfAllElementsInTheirOrder) {
  Network network;
  network.values = {{.shape = {2, 8}}, {.shape = {16}}};
  EXPECT_TRUE(Of({.from = 0, .dims = {{8, 1, 1}, {2, 8, 8}}}).IsReshape(network));
  EXPECT_FALSE(Of({.from = 0, .dims = {{8, 1, 1}}}).IsReshape(network)) << "half of it";
  EXPECT_FALSE(Of({.from = 0, .dims = Turned()}).IsReshape(network));
  EXPECT_FALSE(Of({.dims = {{16, 0, 1}}}).IsReshape(network)) << "filled";
}

// The DMA engines bring and take rows as they stand; the vector engine turns the matrix around.
TEST(LowerMove, LargeTranspositionsGoThroughTheVectorEngine) {
  LoweringBench bench;
  const ValueId x = bench.InDram(Dtype::kI8, {16, 32});
  const ValueId y = bench.InDram(Dtype::kI8, {32, 16}, /*offset_bytes=*/4096);
  EXPECT_THAT(bench.LowerWork(Of({.from = x, .dims = {{16, 32, 1}, {32, 1, 16}}}), y),
              ElementsAre("ld.copy binding=1 spm=0x40 bytes=512",
                          "v.unary op=copy dtype=i8 dst=0x280 a=0x40",
                          "st.copy binding=1 dram=0x1000 spm=0x280 bytes=512"));
}

TEST(LowerMove, LargeTranspositionsReadAndWriteWhatLivesInTheScratchpadThere) {
  LoweringBench bench;
  const ValueId in_dram = bench.InDram(Dtype::kI8, {16, 32});
  const ValueId resident = bench.InScratchpad(Dtype::kI8, {32, 16});  // at 0x40
  const std::vector<MoveDimension> dims = {{16, 32, 1}, {32, 1, 16}};
  EXPECT_THAT(bench.LowerWork(Of({.from = in_dram, .dims = dims}), resident),
              ElementsAre("ld.copy binding=1 spm=0x280 bytes=512",
                          "v.unary op=copy dtype=i8 dst=0x40 a=0x280"));
  EXPECT_THAT(bench.LowerWork(Of({.from = resident, .dims = dims}), in_dram),
              ElementsAre("v.unary op=copy dtype=i8 dst=0x280 a=0x40",
                          "st.copy binding=1 spm=0x280 bytes=512"));
}

// -- Rows ------------------------------------------------------------------------------------------

TEST(MoveRowDimension, IsTheOutermostIfNoPieceReachesIntoTheNextRow) {
  // Two channels of four, of 3 rows of 5 pixels.
  EXPECT_EQ(RowDimension({.dims = {{2, 1, 1}, {15, 2, 4}}}, 3, 20), 1);
  EXPECT_EQ(RowDimension({.to_base_elems = 2, .dims = {{2, 1, 1}, {15, 2, 4}}}, 3, 20), 1);
  EXPECT_EQ(RowDimension({.dims = {{10, 1, 1}, {3, 10, 20}}}, 3, 20), 1) << "half of each row";
  EXPECT_EQ(RowDimension({.dims = {{2, 1, 1}, {10, 2, 4}}}, 3, 20), -1) << "two rows of three";
  EXPECT_EQ(RowDimension({.to_base_elems = 20, .dims = {{2, 1, 1}, {15, 2, 4}}}, 3, 20), -1);
  EXPECT_EQ(RowDimension({.dims = {{2, 1, 1}, {3, 5, 1}}}, 3, 20), -1);
}

TEST(Move, FillsAreNoImages) {
  Move move;
  move.pieces = {{.fill = 1}, {.from = 3}, {.from = 5}};
  EXPECT_EQ(move.Images(), (std::vector<ValueId>{3, 5}));
}

TEST(Move, RowsBeginWithinWhatIsHeld) {
  Move move = Of({.from = 3, .from_base_elems = 1, .dims = {{2, 1, 1}, {15, 2, 4}}});
  move.row_elems = 20;
  const auto rows =
      move.Rows({1, 3}, std::vector<HeldRows>{{.image = 3, .value = 8, .rows = {1, 3}}});
  const auto& part = dynamic_cast<const Move&>(*rows);
  EXPECT_EQ(part.pieces[0],
            (MovePiece{.from = 8, .from_base_elems = 1, .dims = {{2, 1, 1}, {10, 2, 4}}}));
  const auto whole = move.Rows({1, 3}, {});
  EXPECT_EQ(dynamic_cast<const Move&>(*whole).pieces[0].from_base_elems, 11);
}

}  // namespace
}  // namespace acme::compiler
