// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/reduction/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// [1, 6, 6, 8] by windows of 2 x 2 to [1, 3, 3, 8].
Pool Halved(ValueId x) {
  Pool op;
  op.x = x;
  op.channels = 8;
  op.height = op.width = {.in = 6, .out = 3, .kernel = 2, .stride = 2};
  op.clamp = {-128, 127};
  return op;
}

TEST(LowerPool, ResidentIsOneInstruction) {
  LoweringBench bench;
  const Pool op = Halved(bench.InScratchpad(Dtype::kI8, {1, 6, 6, 8}));
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 3, 3, 8});
  EXPECT_THAT(bench.Lower(op, y),
              ElementsAre("v.clamp lo=-128 hi=127", "v.shape n0=8 n1=3 n2=3 n3=1",
                          "v.view view=dst s0=1 s1=8 s2=24 s3=72",
                          "v.window kernel_h=2 kernel_w=2 stride_h=2 stride_w=2 dilation_h=1 "
                          "dilation_w=1 multiplier=1",
                          "v.input in_h=6 in_w=6 row_stride=48 pixel_stride=8",
                          "v.pool op=max dtype=i8 dst=0x1c0 a=0x40"));
}

TEST(LowerPool, StreamsTilesOfRows) {
  // Two rows of the result: 4 x 6 x 8 = 192 bytes and 48; all three: 288 and 72, on 64 bytes each.
  LoweringBench bench(256);
  const Pool op = Halved(bench.InDram(Dtype::kI8, {1, 6, 6, 8}));
  const ValueId y = bench.InDram(Dtype::kI8, {1, 3, 3, 8}, 1024);
  EXPECT_THAT(
      bench.LowerWork(op, y),
      ElementsAre("ld.copy binding=1 spm=0x40 bytes=192", "v.pool op=max dtype=i8 dst=0x100 a=0x40",
                  "st.copy binding=1 dram=0x400 spm=0x100 bytes=48",
                  "ld.copy binding=1 dram=0xc0 spm=0x180 bytes=96",
                  "v.pool op=max dtype=i8 dst=0x200 a=0x180",
                  "st.copy binding=1 dram=0x430 spm=0x200 bytes=24"));
}

struct TileCase {
  const char* name;
  bool stream_x;
  bool stream_y;
  int64_t step_bytes;
  PoolTile tile;
};

class PoolTileTest : public testing::TestWithParam<TileCase> {};

TEST_P(PoolTileTest, CutsRowsThenChannelsThenColumns) {
  Pool op;
  op.channels = 128;
  op.height = op.width = {.in = 8, .out = 8, .kernel = 1, .stride = 1};
  const TileCase& c = GetParam();
  EXPECT_EQ(ChoosePoolTile(op, c.stream_x, c.stream_y, c.step_bytes), c.tile);
}

// A pixel has 128 bytes, all 8192.
INSTANTIATE_TEST_SUITE_P(Cases, PoolTileTest,
                         testing::ValuesIn(std::vector<TileCase>{
                             {"Resident", false, false, 0, {8, 8, 128}},
                             {"ExactFit", true, false, 8192, {8, 8, 128}},
                             {"OneByteLess", true, false, 8191, {4, 8, 128}},
                             {"BothStream", true, true, 16384, {8, 8, 128}},
                             {"OneRow", true, false, 1024, {1, 8, 128}},
                             {"HalfTheChannels", true, false, 1023, {1, 8, 64}},
                             {"HalfTheColumns", true, false, 511, {1, 4, 64}},
                             {"OnePixel", true, false, 64, {1, 1, 64}},
                             // A unit of 64 bytes is the least there is.
                             {"NothingFits", true, false, 63, {1, 1, 1}},
                         }),
                         [](const auto& info) { return info.param.name; });

TEST(Pool, RowsSeeWhatIsHeld) {
  Pool op;
  op.x = 4;
  op.height = {.in = 8, .out = 4, .kernel = 3, .stride = 2, .pad = 0};
  EXPECT_EQ(op.RowsRead(op.x, {1, 3}), (RowRange{2, 7}));
  const auto rows =
      op.Rows({1, 3}, std::vector<HeldRows>{{.image = 4, .value = 7, .rows = {2, 7}}});
  const auto& part = dynamic_cast<const Pool&>(*rows);
  EXPECT_EQ(part.x, 7);
  EXPECT_EQ(part.height.in, 5);
  EXPECT_EQ(part.height.out, 2);
  EXPECT_EQ(part.height.pad, 0);
}

}  // namespace
}  // namespace acme::compiler
