// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/conv_tile.h"

#include <gtest/gtest.h>

#include <vector>

#include "reference_plugin/compiler/lower/products/conv_operands.h"
#include "reference_plugin/compiler/lower/products/pixel_plan.h"

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
  EXPECT_EQ(ChooseConvTile(conv, 1, c.stream_x, c.x_bytes, A1()), c.tile);
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
  // A quarter of the guaranteed 16% for 3 x 3 pixels of 32 channels, 288 bytes; a sixth for a
  // plane of 32 x 32: 1024 bytes in 38400.
  hardware.scratchpad_bytes = 38400;
  EXPECT_EQ(UsedColumns(conv, hardware), 32);
  EXPECT_TRUE(ConvFits(conv, hardware));
  hardware.scratchpad_bytes = 38399;
  EXPECT_EQ(UsedColumns(conv, hardware), 16) << "the plane is too large by one byte";
  EXPECT_TRUE(ConvFits(conv, hardware));
  hardware.scratchpad_bytes = 7200;
  EXPECT_EQ(UsedColumns(conv, hardware), 4);
  EXPECT_TRUE(ConvFits(conv, hardware));
  hardware.scratchpad_bytes = 7199;
  EXPECT_FALSE(ConvFits(conv, hardware)) << "the pixels are too many by one byte";
}

// Not the accumulators alone: their results must have a place. Of the built-in chips they have.
TEST(ConvTileSums, LeaveRoomForResults) {
  Conv conv = Square(3, 8, 64, 32);
  for (const char* soc :
       {"acme_a0", "acme_a1", "acme_a2", "acme_edge128", "acme_edge256", "gemmini_like"}) {
    const Hardware hardware = *BuiltinHardware(soc);
    EXPECT_EQ(ConvTileSums(conv, hardware), hardware.accumulator_rows / 2) << soc;
  }
  Hardware hardware = A1();
  hardware.accumulator_rows = 4096;
  hardware.scratchpad_bytes = 192 * 1024;
  EXPECT_EQ(ConvTileSums(conv, hardware), 2048) << "32 bytes a pixel";
  conv.dtype = Dtype::kF32;
  EXPECT_EQ(ConvTileSums(conv, hardware), 512) << "128 bytes a pixel";
}

// Of one width, and of an odd array, too; of float32 a column has four bytes a row.
TEST(UsedColumns, DivideTheArrays) {
  Hardware hardware = A1();
  Conv conv = Square(3, 8, 64, 32);
  const auto used = [&](int64_t cols, Dtype dtype) {
    hardware.array_cols = cols;
    conv.dtype = dtype;
    return UsedColumns(conv, hardware);
  };
  hardware.scratchpad_bytes = 38400;  // 32 columns of bytes
  EXPECT_EQ(used(32, Dtype::kF32), 8);
  EXPECT_EQ(used(45, Dtype::kI8), 15);
  EXPECT_EQ(used(256, Dtype::kI8), 32);
  EXPECT_EQ(used(67, Dtype::kI8), 1) << "a prime number";
}

TEST(WidenedConv, HasSoManyChannelsMore) {
  const Conv conv = Square(3, 32, 3, 8);
  const WidenedConv widened(conv, 4);
  EXPECT_EQ(widened.geometry.w.kernel, 6);
  EXPECT_EQ(widened.geometry.w.stride, 4);
  EXPECT_EQ(widened.geometry.w.out, 8);
  EXPECT_EQ(widened.whole_cols, 8);
  EXPECT_EQ(widened.back, 0);
  EXPECT_EQ(widened.row_elems, 256);
  EXPECT_EQ(widened.geometry.h.kernel, 3);
  EXPECT_EQ(widened.out_cols, 32);
  EXPECT_EQ(widened.part.x_channels, 3);
  EXPECT_EQ(widened.part.y_cols, 8);
  EXPECT_EQ(widened.part.y_channels, 32);
}

TEST(WidenedConv, TheLastPixelsBeginFurtherToTheLeft) {
  const Conv conv = Square(3, 31, 3, 8);
  const WidenedConv widened(conv, 4);
  EXPECT_EQ(widened.geometry.w.out, 8);
  EXPECT_EQ(widened.whole_cols, 7);
  EXPECT_EQ(widened.back, 1);
  EXPECT_EQ(widened.row_elems, 31 * 8);
}

}  // namespace
}  // namespace acme::compiler
