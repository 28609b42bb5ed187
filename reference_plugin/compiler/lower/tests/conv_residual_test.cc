// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions that add a residual: which rows they need of it, and where its parts come from.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;

// A kernel of 3 x 3 over an image of 8 x 8.
Conv Filter(ValueId x, ValueId residual) {
  Conv conv;
  conv.x = x;
  conv.in_c = conv.out_c = 4;
  conv.geometry.h = {.in = 8, .out = 8, .kernel = 3, .pad = 1};
  conv.geometry.w = conv.geometry.h;
  conv.residual.emplace();
  conv.residual->b.value = residual;
  return conv;
}

TEST(ConvWithResidual, NeedsItsRowsAndThoseThatTheKernelSees) {
  const Conv conv = Filter(1, 2);
  EXPECT_THAT(conv.Images(), ElementsAre(1, 2));
  EXPECT_EQ(conv.RowsRead(1, {2, 5}), (RowRange{1, 6}));
  EXPECT_EQ(conv.RowsRead(2, {2, 5}), (RowRange{2, 5}));
  // Added to what it is computed of: both.
  EXPECT_EQ(Filter(1, 1).RowsRead(1, {2, 5}), (RowRange{1, 6}));
  Conv strided = Filter(1, 1);
  strided.geometry.h = {.in = 8, .out = 8, .kernel = 1, .pad = 3};
  EXPECT_EQ(strided.RowsRead(1, {4, 6}), (RowRange{1, 6}));
}

TEST(ConvWithResidual, SomeRowsBeginWithinTheWhole) {
  const Conv conv = Filter(1, 2);
  const auto rows = std::static_pointer_cast<const Conv>(conv.Rows({3, 5}, {}));
  EXPECT_EQ(rows->residual->b.value, 2);
  EXPECT_EQ(rows->residual->b.base_elems, 3 * 8 * 4);
  // Of those that another value holds, from the second row on.
  const std::vector<HeldRows> held = {{2, 7, {2, 6}}};
  const auto part = std::static_pointer_cast<const Conv>(conv.Rows({3, 5}, held));
  EXPECT_EQ(part->residual->b.value, 7);
  EXPECT_EQ(part->residual->b.base_elems, 1 * 8 * 4);
}

TEST(ConvWithResidual, DescribesBoth) {
  Conv conv = Filter(1, 2);
  const std::string described = conv.Describe();
  conv.residual->b.zero_point = 9;
  EXPECT_NE(conv.Describe(), described);
  conv.residual.reset();
  EXPECT_THAT(described, testing::StartsWith(conv.Describe()));
}

// A convolution of 40 output channels, two column tiles, over 2 x 3 pixels.
struct TwoTiles {
  LoweringBench bench;
  Conv conv;
  ValueId y = kNoValue;

  explicit TwoTiles(bool in_dram, int64_t step_bytes = 1 << 16, int32_t added_channels = 40)
      : bench(step_bytes) {
    const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 2, 3, 32});
    const ValueId added = in_dram ? bench.InDram(Dtype::kI8, {1, 2, 3, added_channels}, 1000)
                                  : bench.InScratchpad(Dtype::kI8, {1, 2, 3, added_channels});
    y = bench.InScratchpad(Dtype::kI8, {1, 2, 3, 40});
    conv = Filter(x, added);
    conv.w = bench.Constant(Dtype::kI8, {40, 1, 1, 32}, Counting(40 * 32));
    conv.in_c = 32;
    conv.out_c = 40;
    conv.geometry.h = {.in = 2, .out = 2};
    conv.geometry.w = {.in = 3, .out = 3};
    conv.requantize.scales = {{1 << 30, 0}};
    conv.requantize.clamp = {-100, 100};
    conv.residual->a.scale = {.mult = 1 << 30, .shift = 1};
    conv.residual->b.scale = {.mult = 1 << 29, .shift = 2};
    conv.residual->out_scale = {.mult = 1 << 28, .shift = -3};
    conv.residual->a.zero_point = 4;
    conv.residual->b.zero_point = 5;
    conv.residual->out_zp = 6;
    conv.residual->left_shift = 20;
    conv.residual->clamp = {-50, 60};
    if (added_channels < conv.out_c) conv.residual_c = added_channels;
  }
};

TEST(ConvWithResidual, OfFewerChannelsBeginsWhereItsRowsDo) {
  Conv conv = Filter(1, 2);
  const std::string described = conv.Describe();
  conv.residual_c = 3;
  const auto rows = std::static_pointer_cast<const Conv>(conv.Rows({3, 5}, {}));
  EXPECT_EQ(rows->residual->b.base_elems, 3 * 8 * 3);
  EXPECT_EQ(conv.Describe(), described + " of 3 channels");
}

// The lines that begin with v., the vector engine's.
std::vector<std::string> Vector(const std::vector<std::string>& lines) {
  std::vector<std::string> vector;
  for (const std::string& line : lines) {
    if (line.starts_with("v.")) vector.push_back(line);
  }
  return vector;
}

TEST(ConvWithResidual, ReadsItsPartWhereItStands) {
  TwoTiles tiles(/*in_dram=*/false);
  const std::vector<std::string> lines = Vector(tiles.bench.Lower(tiles.conv, tiles.y));
  ASSERT_EQ(lines.size(), 22u);
  EXPECT_THAT(
      std::vector(lines.begin(), lines.begin() + 11),
      ElementsAre("v.quant view=dst rounding=double", "v.clamp lo=-100 hi=100",
                  "v.params record_stride=10", "v.shape n0=32 n1=3 n2=2 n3=1",
                  "v.view view=dst s0=1 s1=40 s2=120",
                  "v.quant view=a zp=4 mult=1073741824 shift=1 left_shift=20 "
                  "rounding=double",
                  "v.quant view=b zp=5 mult=536870912 shift=2 rounding=double",
                  "v.quant view=c zp=6 mult=268435456 shift=-3 rounding=double",
                  "v.view view=b s0=1 s1=40 s2=120 s3=240", "v.residual addr=0x140 lo=-50 hi=60",
                  "v.drain dst=0x280 params=0x3c0 acc_type=i32 out=i8 residual=1"));
  // The other eight columns, 32 bytes on.
  EXPECT_EQ(lines[20], "v.residual addr=0x160 lo=-50 hi=60");
  EXPECT_EQ(lines[21], "v.drain acc=6 dst=0x2a0 params=0x980 acc_type=i32 out=i8 residual=1");
}

// What is loaded of it, and where it is read.
std::vector<std::string> Residuals(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    const bool of_residual =
        line.find("binding=1") != std::string::npos || line.starts_with("v.residual");
    if (of_residual) found.push_back(line);
  }
  return found;
}

TEST(ConvWithResidual, LoadsItForAllColumnsAtOnce) {
  TwoTiles tiles(/*in_dram=*/true);
  EXPECT_THAT(
      Residuals(tiles.bench.Lower(tiles.conv, tiles.y)),
      ElementsAre("ld.copy binding=1 dram=0x3e8 spm=0x280 bytes=240",
                  "v.residual addr=0x280 lo=-50 hi=60", "v.residual addr=0x2a0 lo=-50 hi=60"));
}

TEST(ConvWithResidual, LoadsItByColumnTilesWhereAllDoNotFit) {
  TwoTiles tiles(/*in_dram=*/true, /*step_bytes=*/900);
  EXPECT_THAT(Residuals(tiles.bench.Lower(tiles.conv, tiles.y)),
              ElementsAre("ld.nd binding=1 dram=0x3e8 spm=0x840 elem_bytes=1",
                          "v.residual addr=0x840 lo=-50 hi=60",
                          "ld.nd binding=1 dram=0x408 spm=0xb40 elem_bytes=1",
                          "v.residual addr=0xb40 lo=-50 hi=60"));
}

// The strides of view b, the residual and the drain of each column tile.
std::vector<std::string> Drains(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    if (line.starts_with("v.view view=b") || line.starts_with("v.residual")) found.push_back(line);
    if (line.starts_with("v.drain")) found.push_back(line.substr(line.find("residual")));
  }
  return found;
}

TEST(ConvWithResidual, OfFewerChannelsIsReadAsFarAsItGoes) {
  TwoTiles some(/*in_dram=*/false, 1 << 16, /*added_channels=*/36);
  EXPECT_THAT(
      Drains(some.bench.Lower(some.conv, some.y)),
      ElementsAre("v.view view=b s0=1 s1=36 s2=108 s3=216", "v.residual addr=0x140 lo=-50 hi=60",
                  "residual=1", "v.view view=b s0=1 s1=36 s2=108 s3=216",
                  "v.residual addr=0x160 lo=-50 hi=60", "residual=1 missing=4"));
  // Nothing is added to the second column tile, but its results are quantised as sums are.
  TwoTiles none(/*in_dram=*/false, 1 << 16, /*added_channels=*/20);
  EXPECT_THAT(Drains(none.bench.Lower(none.conv, none.y)),
              ElementsAre("v.view view=b s0=1 s1=20 s2=60 s3=120",
                          "v.residual addr=0x140 lo=-50 hi=60", "residual=1 missing=12",
                          "v.view view=b", "v.residual lo=-50 hi=60", "residual=1 missing=8"));
}

TEST(ConvWithResidual, OfFewerChannelsIsLoadedAsFarAsItGoes) {
  TwoTiles tiles(/*in_dram=*/true, 1 << 16, /*added_channels=*/20);
  EXPECT_THAT(Residuals(tiles.bench.Lower(tiles.conv, tiles.y)),
              ElementsAre("ld.copy binding=1 dram=0x3e8 spm=0x280 bytes=120",
                          "v.residual addr=0x280 lo=-50 hi=60", "v.residual lo=-50 hi=60"));
  TwoTiles apart(/*in_dram=*/true, /*step_bytes=*/900, /*added_channels=*/20);
  EXPECT_EQ(Residuals(apart.bench.Lower(apart.conv, apart.y)).size(), 3u);
}

}  // namespace
}  // namespace acme::compiler
