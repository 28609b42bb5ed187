// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// 3 x 3 over [1, 6, 6, 8] to [1, 4, 4, 8].
Depthwise ThreeByThree(ValueId x, ValueId w) {
  Depthwise op;
  op.x = x;
  op.w = w;
  op.in_c = 8;
  op.geometry.h = {.in = 6, .out = 4, .kernel = 3};
  op.geometry.w = op.geometry.h;
  op.requantize.scales = {{1 << 30, 0}};
  return op;
}

// Records of 10 bytes a channel on 128, then 9 taps of 8 bytes.
TEST(LowerDepthwise, ParametersComeWithOneLoad) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 6, 6, 8});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 4, 4, 8});
  Depthwise op = ThreeByThree(x, bench.Constant(Dtype::kI8, {1, 3, 3, 8}, Counting(72)));
  op.act_zp = 2;
  op.weight_zp = 3;
  op.requantize.out_zp = 4;
  op.requantize.clamp = {-128, 127};
  EXPECT_THAT(
      bench.Lower(op, y),
      ElementsAre("ld.copy spm=0x280 bytes=200", "v.shape n0=8 n1=4 n2=4 n3=1",
                  "v.window kernel_h=3 kernel_w=3 stride_h=1 stride_w=1 dilation_h=1 "
                  "dilation_w=1 multiplier=1",
                  "v.input in_h=6 in_w=6 row_stride=48 pixel_stride=8",
                  "v.view view=dst s0=1 s1=8 s2=32",
                  "v.params addr=0x280 tap_stride=8 record_stride=10",
                  "v.quant view=a zp=2 rounding=double", "v.quant view=b zp=3 rounding=double",
                  "v.quant view=dst zp=4 rounding=double", "v.clamp lo=-128 hi=127",
                  "v.depthwise dtype=i8 dst=0x1c0 a=0x40 weights=0x300"));
}

struct TileCase {
  const char* name;
  bool stream_x;
  bool stream_y;
  int64_t max_bytes;
  DepthwiseTile tile;
};

class DepthwiseTileTest : public testing::TestWithParam<TileCase> {};

TEST_P(DepthwiseTileTest, CutsWhatCostsLeast) {
  const TileCase& c = GetParam();
  const Depthwise op = ThreeByThree(0, 1);
  const Hardware hardware = *BuiltinHardware("acme_a1");
  const DepthwiseTile tile = ChooseDepthwiseTile(op, c.stream_x, c.stream_y, c.max_bytes, hardware);
  EXPECT_EQ(tile, c.tile) << tile.rows << " " << tile.cols << " " << tile.channels;
}

// On 64 bytes each: all of the image 320, of the result 128, parameters 128 + 128.
INSTANTIATE_TEST_SUITE_P(
    Cases, DepthwiseTileTest,
    testing::ValuesIn(std::vector<TileCase>{
        {"Resident", false, false, 256, {4, 4, 8}},
        {"ExactFit", true, true, 704, {4, 4, 8}},
        {"OneByteLess", true, true, 703, {2, 4, 8}},
        {"ExactFitOfTheImage", true, false, 576, {4, 4, 8}},
        {"TwoRows", true, true, 512, {2, 4, 8}},
        // A row has 192 + 64 + 256, two rows of half the columns 128 + 64 + 256;
        // half of the channels of a row 320, but in more and shorter runs.
        {"HalfTheColumns", true, true, 511, {2, 2, 8}},
        {"ExactFitOfHalfTheChannels", true, true, 320, {1, 4, 4}},
    }),
    [](const auto& info) { return info.param.name; });

// An image of rows too long for the step: parts of all channels come in whole bursts and see hardly
// anything twice, where some channels of whole rows would take half of each burst.
TEST(DepthwiseTileTest, LongRowsAreCutInColumns) {
  Depthwise op = ThreeByThree(0, 1);
  op.in_c = 144;
  op.geometry.h = {.in = 240, .out = 120, .kernel = 3, .stride = 2, .pad = 0};
  op.geometry.w = {.in = 320, .out = 160, .kernel = 3, .stride = 2, .pad = 0};
  const DepthwiseTile tile =
      ChooseDepthwiseTile(op, true, true, 65536, *BuiltinHardware("acme_a0"));
  EXPECT_EQ(tile.channels, 144);
  EXPECT_GE(tile.rows, 4) << "of fewer rows, too much is read twice";
  EXPECT_LT(tile.cols, 160);
}

TEST(DepthwiseTileBytes, CountOnlyWhatStreams) {
  const Depthwise op = ThreeByThree(0, 1);
  EXPECT_EQ(DepthwiseTileBytes(op, {4, 4, 8}, true, true), 320 + 128 + 256);
  EXPECT_EQ(DepthwiseTileBytes(op, {4, 4, 8}, true, false), 320 + 256);
  EXPECT_EQ(DepthwiseTileBytes(op, {4, 4, 8}, false, true), 128 + 256);
  EXPECT_EQ(DepthwiseTileBytes(op, {4, 4, 8}, false, false), 256);
}

TEST(Depthwise, RowsKeepTheKernel) {
  const Depthwise op = ThreeByThree(0, 1);
  const auto rows =
      op.Rows({1, 3}, std::vector<HeldRows>{{.image = op.x, .value = 5, .rows = {1, 5}}});
  const auto& part = dynamic_cast<const Depthwise&>(*rows);
  EXPECT_EQ(part.x, 5);
  EXPECT_EQ(part.geometry.h.in, 4);
  EXPECT_EQ(part.geometry.h.out, 2);
  EXPECT_EQ(part.geometry.h.pad, 0);
  EXPECT_EQ(part.geometry.w.in, 6);
}

}  // namespace
}  // namespace acme::compiler
