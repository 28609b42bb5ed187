// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_tile.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/products/conv_operands.h"

namespace acme::compiler {
namespace {

// acme_a1: an array of 32 x 32, 2048 rows of accumulators.
Hardware A1() { return *BuiltinHardware("acme_a1"); }

// A kernel of n x n over an image that is padded to keep its size.
Conv Square(int32_t kernel, int32_t size, int32_t in_c, int32_t out_c) {
  Conv conv;
  conv.in_c = in_c;
  conv.out_c = out_c;
  conv.geometry.h = {.in = size, .out = size, .kernel = kernel, .pad = kernel / 2};
  conv.geometry.w = conv.geometry.h;
  return conv;
}

struct PixelsCase {
  const char* name;
  int32_t kernel;
  int32_t out_w;
  int32_t in_c;
  int32_t out_c;
  int32_t dilation;
  int32_t pixels;
};

class PixelsTogether : public testing::TestWithParam<PixelsCase> {};

TEST_P(PixelsTogether, FillTheColumns) {
  const PixelsCase& c = GetParam();
  Conv conv = Square(c.kernel, c.out_w, c.in_c, c.out_c);
  conv.geometry.w.dilation = c.dilation;
  EXPECT_EQ(ChoosePixelsTogether(conv, A1()), c.pixels);
}

// Rows of the array a row of pixels, doubled: pixels / together * (2 * folds + 1). Of 3 x 3 x 3 a
// plane holds ten kernel positions: one fold alone, two of a kernel that is widened.
INSTANTIATE_TEST_SUITE_P(Cases, PixelsTogether,
                         testing::ValuesIn(std::vector<PixelsCase>{
                             {"FourOfEight", 3, 32, 3, 8, 1, 4},
                             {"TwoOfSixteen", 3, 32, 3, 16, 1, 2},
                             {"AllColumnsAreTaken", 3, 32, 3, 32, 1, 1},
                             {"MoreThanAllColumns", 3, 32, 3, 33, 1, 1},
                             {"PrimeRow", 3, 31, 3, 8, 1, 1},
                             {"RowOfTwiceAnOdd", 3, 30, 3, 8, 1, 2},
                             {"Dilated", 3, 32, 3, 8, 2, 1},
                             {"OnePixelKernels", 1, 32, 1, 1, 1, 32},
                             // A fold more for each, but the drains are fewer.
                             {"DeepKernels", 1, 32, 32, 8, 1, 4},
                         }),
                         [](const auto& info) { return info.param.name; });

TEST(PixelsTogether, PartsOnlyIfTheyStandSideBySide) {
  Conv conv = Square(3, 32, 3, 8);
  conv.part.y_rows = 64;
  conv.part.y_cols = 64;
  conv.part.y_channels = 8;
  EXPECT_EQ(ChoosePixelsTogether(conv, A1()), 4);
  conv.part.col_step = 2;
  EXPECT_EQ(ChoosePixelsTogether(conv, A1()), 1);
  conv.part.col_step = 1;
  conv.part.y_channels = 16;
  EXPECT_EQ(ChoosePixelsTogether(conv, A1()), 1);
}

TEST(ConvEngineRows, CountsFoldsAndDrains) {
  EXPECT_EQ(ConvEngineRows(Square(3, 32, 3, 8), A1()), 32 * (32 / 4) * 5);
  EXPECT_EQ(ConvEngineRows(Square(1, 8, 32, 64), A1()), 8 * 8 * 2 * 3) << "two column tiles";
}

struct TileCase {
  const char* name;
  int32_t size;
  int32_t in_c;
  Dtype dtype;
  bool stream_x;
  int64_t x_bytes;
  ConvTile tile;
};

class ChooseConvTileTest : public testing::TestWithParam<TileCase> {};

// A kernel of one pixel and 32 output channels, so that no pixels are computed together.
TEST_P(ChooseConvTileTest, FitsAccumulatorsAndImage) {
  const TileCase& c = GetParam();
  Conv conv = Square(1, c.size, c.in_c, 32);
  conv.dtype = c.dtype;
  EXPECT_EQ(ChooseConvTile(conv, c.stream_x, c.x_bytes, A1()), c.tile);
}

// Half of the accumulators: 1024 pixels, 512 of int16.
INSTANTIATE_TEST_SUITE_P(
    Cases, ChooseConvTileTest,
    testing::ValuesIn(std::vector<TileCase>{
        {"ExactFitOfTheSums", 32, 32, Dtype::kI8, false, 0, {32, 32, 32}},
        {"SumsOfOnePixelMore", 33, 32, Dtype::kI8, false, 0, {31, 33, 32}},
        {"WideSums", 32, 32, Dtype::kI16, false, 0, {16, 32, 32}},
        {"RowsLongerThanTheSums", 2000, 32, Dtype::kI8, false, 0, {1, 1000, 32}},
        {"ExactFitOfTheImage", 32, 32, Dtype::kI8, true, 32768, {32, 32, 32}},
        {"OneByteLess", 32, 32, Dtype::kI8, true, 32767, {16, 32, 32}},
        {"OneRow", 32, 32, Dtype::kI8, true, 1024, {1, 32, 32}},
        {"PartOfARow", 32, 32, Dtype::kI8, true, 1023, {1, 16, 32}},
        // Channels are cut when eight pixels are left, and then the pixels.
        {"SliceOfTheChannels", 32, 64, Dtype::kI8, true, 300, {1, 8, 32}},
        {"FewPixelsOfASlice", 32, 64, Dtype::kI8, true, 100, {1, 2, 32}},
        {"NothingFits", 32, 64, Dtype::kI8, true, 31, {1, 1, 32}},
    }),
    [](const auto& info) { return info.param.name; });

TEST(ConvFits, WhereTheSmallestTileHasRoom) {
  Hardware hardware = A1();
  Conv conv = Square(3, 8, 64, 32);
  EXPECT_TRUE(ConvFits(conv, hardware));
  // A quarter of the guaranteed 16% for 3 x 3 pixels of 32 channels, 288 bytes; an eighth for a
  // plane of 32 x 32: 1024 bytes in 51200.
  hardware.scratchpad_bytes = 51200;
  EXPECT_TRUE(ConvFits(conv, hardware));
  hardware.scratchpad_bytes = 51199;
  EXPECT_FALSE(ConvFits(conv, hardware)) << "the plane is too large by one byte";
}

TEST(WidenedConv, HasSoManyChannelsMore) {
  const Conv conv = Square(3, 32, 3, 8);
  const WidenedConv widened(conv, A1());
  EXPECT_EQ(widened.pixels, 4);
  EXPECT_EQ(widened.geometry.w.kernel, 6);
  EXPECT_EQ(widened.geometry.w.stride, 4);
  EXPECT_EQ(widened.geometry.w.out, 8);
  EXPECT_EQ(widened.geometry.h.kernel, 3);
  EXPECT_EQ(widened.out_cols, 32);
  EXPECT_EQ(widened.part.x_channels, 3);
  EXPECT_EQ(widened.part.y_cols, 8);
  EXPECT_EQ(widened.part.y_channels, 32);
}

}  // namespace
}  // namespace acme::compiler
