// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

Conv Pointwise(int32_t size, int32_t in_c, int32_t out_c) {
  Conv conv;
  conv.in_c = in_c;
  conv.out_c = out_c;
  conv.geometry.h = {.in = size, .out = size};
  conv.geometry.w = conv.geometry.h;
  return conv;
}

// acme_a0: an array of 16 x 16, 1024 rows of accumulators, bursts of 64 bytes.
Hardware A0() { return *BuiltinHardware("acme_a0"); }

constexpr int64_t kStepBytes = 65536;

TEST(ChooseConvBlock, NoneIsNeededWhereTheWeightsStay) {
  EXPECT_EQ(ChooseConvBlock(Pointwise(33, 512, 64), kStepBytes, kStepBytes / 4, A0()),
            std::nullopt);
}

// 33 x 33 x 960 to 320: 1.0 MB of image, 0.3 MB of weights. 17 pixels of the image are a tile, so that
// the weights came 66 times.
TEST(ChooseConvBlock, SumsOfManyPixelsAndColumnsAreKept) {
  const auto block = ChooseConvBlock(Pointwise(33, 960, 320), kStepBytes, kStepBytes / 4, A0());
  ASSERT_TRUE(block);
  const int64_t pixels = int64_t{block->tile.rows} * block->tile.cols;
  EXPECT_LE(pixels * block->column_tiles, 512) << "half of the accumulators";
  EXPECT_GE(pixels, 32) << "enough to hide the next weights";
  EXPECT_GT(block->column_tiles, 1) << "else the image comes for each";
  EXPECT_EQ(block->tile.channels % 64, 0) << "whole bursts";
  EXPECT_LE(pixels * block->tile.channels, kStepBytes / 4);
}

// Folds are of the array's rows: a slice that ended within one would be read beyond its end.
TEST(ChooseConvBlock, SlicesAreWholeFoldsOfAnyArray) {
  int found = 0;
  for (const int64_t rows : {29, 16, 7, 100}) {
    for (const int64_t burst : {1, 32, 64, 128}) {
      Hardware hardware = A0();
      hardware.array_rows = rows;
      hardware.dram_burst_bytes = burst;
      const auto block =
          ChooseConvBlock(Pointwise(33, 960, 320), kStepBytes, kStepBytes / 4, hardware);
      if (!block) continue;
      ++found;
      EXPECT_EQ(block->tile.channels % rows, 0) << rows << " " << burst;
      EXPECT_GE(block->tile.channels, burst) << rows;
    }
  }
  EXPECT_GE(found, 10) << "of 16";
}

TEST(ChooseConvBlock, NothingFitsAStepWithoutRoom) {
  EXPECT_EQ(ChooseConvBlock(Pointwise(33, 960, 320), 128, 64, A0()), std::nullopt);
}

// A step of 8 KiB on acme_a1, whose array is 32 x 32: 64 x 256 to 128, 32 KiB of weights.
TEST(LowerConv, ABlocksSlicesComeOnceForAllOfItsColumns) {
  LoweringBench bench(8192);
  const ValueId x = bench.InDram(Dtype::kI8, {1, 16, 16, 256});
  const ValueId y = bench.InDram(Dtype::kI8, {1, 16, 16, 128}, 65536);
  Conv conv = Pointwise(16, 256, 128);
  conv.x = x;
  conv.w = bench.Constant(Dtype::kI8, {128, 1, 1, 256}, Counting(128 * 256));
  conv.requantize.scales = {{1 << 30, 0}};
  const auto block = ChooseConvBlock(conv, 8192, 2048, bench.hardware());
  ASSERT_TRUE(block);
  const int64_t groups = (4 + block->column_tiles - 1) / block->column_tiles;
  const int64_t tiles = ConvTiles(conv, block->tile);
  const int64_t slices = (256 + block->tile.channels - 1) / block->tile.channels;
  int64_t images = 0, products = 0, drains = 0;
  for (const std::string& line : bench.LowerWork(conv, y)) {
    images += line.find("binding=1") != std::string::npos && line.starts_with("ld.") ? 1 : 0;
    products += line.starts_with("m.conv ") ? 1 : 0;
    drains += line.starts_with("v.drain") ? 1 : 0;
  }
  EXPECT_EQ(images, groups * tiles * slices);
  EXPECT_EQ(products, tiles * 4 * (256 / 32));
  EXPECT_EQ(drains, tiles * 4) << "sums are complete before they leave";
}

}  // namespace
}  // namespace acme::compiler
