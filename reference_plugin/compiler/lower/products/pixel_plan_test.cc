// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/lower/products/pixel_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace acme::compiler {
namespace {

// acme_a1: an array of 32 x 32, 2048 rows of accumulators; here of one block.
Hardware A1() {
  Hardware hardware = *BuiltinHardware("acme_a1");
  hardware.row_groups = hardware.col_groups = 1;
  return hardware;
}

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
  EXPECT_EQ(PlanPixels(conv, A1()).together, c.pixels);
}

// Rows of the array a row of pixels, doubled: pixels / together * (2 * folds + 1). Of 3 x 3 x 3 a
// plane holds ten kernel positions: one fold alone, two of a kernel that is widened.
INSTANTIATE_TEST_SUITE_P(Cases, PixelsTogether,
                         testing::ValuesIn(std::vector<PixelsCase>{
                             {"FourOfEight", 3, 32, 3, 8, 1, 4},
                             {"TwoOfSixteen", 3, 32, 3, 16, 1, 2},
                             {"AllColumnsAreTaken", 3, 32, 3, 32, 1, 1},
                             {"MoreThanAllColumns", 3, 32, 3, 33, 1, 1},
                             // Four take three folds, three take two; the last of 31 is computed
                             // with two that are there already.
                             {"PrimeRow", 3, 31, 3, 8, 1, 3},
                             {"RowOfTwiceAnOdd", 3, 30, 3, 8, 1, 3},
                             {"Dilated", 3, 32, 3, 8, 2, 1},
                             {"OnePixelKernels", 1, 32, 1, 1, 1, 32},
                             // A fold more for each, but the drains are fewer.
                             {"DeepKernels", 1, 32, 32, 8, 1, 4},
                         }),
                         [](const auto& info) { return info.param.name; });

// What is missing lies at the end of a row of the array, not of each of several pixels.
TEST(PixelsTogether, NotWithAResidualOfFewerChannels) {
  Conv conv = Square(3, 32, 3, 8);
  conv.residual.emplace();
  EXPECT_EQ(PlanPixels(conv, A1()).together, 4);
  conv.residual_c = 3;
  EXPECT_EQ(PlanPixels(conv, A1()).together, 1);
}

TEST(PixelsTogether, PartsOnlyIfTheyStandSideBySide) {
  Conv conv = Square(3, 32, 3, 8);
  conv.part.y_rows = 64;
  conv.part.y_cols = 64;
  conv.part.y_channels = 8;
  EXPECT_EQ(PlanPixels(conv, A1()).together, 4);
  conv.part.col_step = 2;
  EXPECT_EQ(PlanPixels(conv, A1()).together, 1);
  conv.part.col_step = 1;
  conv.part.y_channels = 16;
  EXPECT_EQ(PlanPixels(conv, A1()).together, 1);
}

// What a pixel's neighbours read alone are holes of a wider kernel.
TEST(PixelsTogether, FloatsToo) {
  Conv conv = Square(3, 32, 3, 8);
  conv.dtype = Dtype::kF32;
  EXPECT_EQ(PlanPixels(conv, A1()).together, 4);
}

TEST(ConvEngineCycles, CountsFoldsAndDrains) {
  // Three folds of a kernel row of 6 positions: two planes would hold them, but the 9 positions of
  // one are not a run. The wider kernel's weights come at 16 bytes a cycle.
  EXPECT_EQ(ConvEngineCycles(Square(3, 32, 3, 8), A1()),
            32 * (32 / 4) * (2 * 3 + 1) + 3 * 6 * 3 * 4 * 8 / 16);
  EXPECT_EQ(ConvEngineCycles(Square(1, 8, 32, 64), A1()), 8 * 8 * 2 * 3) << "two column tiles";
}

// 24 channels are 0.75 of the rows of acme_a1; three parts of eight make four positions.
TEST(PlanPixels, CutsPixelsWhereTheirPartsFillTheRows) {
  const Conv conv = Square(1, 32, 24, 64);
  EXPECT_EQ(PlanPixels(conv, A1()), (PixelPlan{1, 1})) << "one fold either way";
  const Conv deep = Square(1, 32, 48, 16);
  EXPECT_EQ(PlanPixels(deep, A1()), (PixelPlan{3, 2})) << "three folds of two pixels, not four";
  Conv part = deep;
  part.part.x_channels = 96;
  EXPECT_EQ(PlanPixels(part, A1()).parts, 1) << "other channels stand between";
}

// A block holds 16 x 16 weights: an array of two by two blocks multiplies four pixels at once.
TEST(PlanPixels, BlocksTakePixelsOfTheirOwn) {
  const Hardware blocks = *BuiltinHardware("acme_a1");
  EXPECT_EQ(PlanPixels(Square(1, 32, 16, 16), blocks), (PixelPlan{1, 1}));
  EXPECT_EQ(ConvEngineCycles(Square(1, 32, 16, 16), blocks), 32 * 32 / 2 * (2 * 1 / 2 + 1));
  EXPECT_EQ(PlanPixels(Square(1, 32, 16, 8), blocks), (PixelPlan{1, 2}));
}

// Of a result so wide, and so many channels of it that this convolution makes.
std::vector<int32_t> Widths(const Hardware& hardware, int32_t channels, int32_t out_c) {
  Conv conv = Square(1, 32, 16, out_c);
  if (channels != out_c) {
    conv.part.y_rows = conv.part.y_cols = 32;
    conv.part.y_channels = channels;
  }
  return LastColumnTiles(conv, 1, hardware);
}
std::vector<int32_t> Widths(const char* chip, int32_t channels, int32_t out_c) {
  return Widths(*BuiltinHardware(chip), channels, out_c);
}

TEST(LastColumnTiles, AreTwoWhereTheSecondStandsInMoreBlocks) {
  using testing::ElementsAre;
  EXPECT_THAT(Widths("acme_a2", 128, 128), ElementsAre());
  EXPECT_THAT(Widths("acme_a2", 32, 32), ElementsAre(32));
  EXPECT_THAT(Widths("acme_a2", 64, 48), ElementsAre(32, 16)) << "each pixel has words of its own";
  EXPECT_THAT(Widths("acme_a2", 49, 49), ElementsAre(49)) << "a half and a half";
  EXPECT_THAT(Widths("acme_a1", 24, 24), ElementsAre(24));
}

// Of 48 channels alone two pixels are written as three words. As 32 and 16 each takes two words and one;
// so it does where pixels begin anywhere.
TEST(LastColumnTiles, AreOneThatIsWrittenInFewerWords) {
  using testing::ElementsAre;
  Hardware apart = *BuiltinHardware("acme_a2");
  apart.join_runs = false;
  EXPECT_THAT(Widths(apart, 48, 48), ElementsAre(48));
  EXPECT_THAT(Widths(apart, 128 + 48, 128 + 48), ElementsAre(48));
}

TEST(LastColumnTiles, AreTwoWherePixelsShareWords) {
  using testing::ElementsAre;
  EXPECT_THAT(Widths("acme_a2", 48, 48), ElementsAre(32, 16));
  EXPECT_THAT(Widths("acme_a2", 128 + 48, 128 + 48), ElementsAre(48)) << "others lie between";
}

// Two pixels of 48 channels are a tile of 64 and one of 32, which is read twice as fast and begins at a
// word's begin or middle: 12,544 pixels of MnasNet's first expansion.
TEST(PlanPixels, CountsTheWordsThatDrainsWrite) {
  EXPECT_EQ(PlanPixels(Square(1, 112, 8, 48), *BuiltinHardware("acme_a2")).together, 2);
}

TEST(CutPixels, AreColumns) {
  Conv conv = Square(3, 20, 24, 8);
  conv.geometry.w.stride = 2;
  const Conv cut = CutPixels(conv, 3);
  EXPECT_EQ(cut.in_c, 8);
  EXPECT_EQ(cut.geometry.w.in, 60);
  EXPECT_EQ(cut.geometry.w.out, 20);
  EXPECT_EQ(cut.geometry.w.kernel, 9);
  EXPECT_EQ(cut.geometry.w.stride, 6);
  EXPECT_EQ(cut.geometry.w.pad, 3);
  EXPECT_EQ(cut.geometry.h.kernel, 3);
}

TEST(CutPixels, OnePartIsTheSame) {
  Conv conv = Square(1, 20, 24, 8);
  conv.part.x_channels = 96;
  EXPECT_EQ(CutPixels(conv, 1).part.x_channels, 96) << "others' channels still stand between";
}

TEST(FeedOf, KnowsWhereWindowsReachBeyondTheColumns) {
  EXPECT_TRUE(FeedOf(Square(3, 8, 4, 4), 1, A1()).padded);
  EXPECT_FALSE(FeedOf(Square(1, 8, 4, 4), 1, A1()).padded);
  Conv conv = Square(3, 8, 4, 4);
  conv.geometry.w.pad = 0;
  EXPECT_TRUE(FeedOf(conv, 1, A1()).padded) << "on the right";
  conv.geometry.w.out = 6;
  EXPECT_FALSE(FeedOf(conv, 1, A1()).padded);
}

}  // namespace
}  // namespace acme::compiler
