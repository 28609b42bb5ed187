// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/conv_parts.h"
#include "reference_plugin/compiler/lower/tests/lowering_bench.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Lines = std::vector<std::string>;

// One pixel by one pixel.
Conv Pointwise(LoweringBench& bench, ValueId x, int32_t rows, int32_t cols, int32_t in_c,
               int32_t out_c) {
  Conv conv;
  conv.x = x;
  conv.w = bench.Constant(Dtype::kI8, {out_c, 1, 1, in_c}, Counting(int64_t{out_c} * in_c));
  conv.in_c = in_c;
  conv.out_c = out_c;
  conv.geometry.h = {.in = rows, .out = rows};
  conv.geometry.w = {.in = cols, .out = cols};
  conv.requantize.scales = {{1 << 30, 0}};
  return conv;
}

// Four pixels of a row are one of twelve channels: 120 bytes of records, 8 x 12 of weights.
TEST(LowerConv, SmallOnesAreOneProduct) {
  LoweringBench bench;
  bench.hardware().row_groups = bench.hardware().col_groups = 1;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 16, 4, 2});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 16, 4, 3});
  Conv conv = Pointwise(bench, x, 16, 4, 2, 3);
  conv.act_zp = -5;
  conv.requantize.out_zp = 6;
  conv.requantize.clamp = {-128, 127};
  EXPECT_THAT(
      bench.Lower(conv, y),
      ElementsAre("ld.copy spm=0x200 bytes=224", "m.type act=i8 weight=i8 act_zp=-5",
                  "m.conv_input in_h=16 in_w=4 row_stride=8 pixel_stride=2",
                  "m.conv_window taps_h=1 taps_w=4 channels=2 stride_h=1 stride_w=4 dilation_h=1 "
                  "dilation_w=1",
                  "m.loadw addr=0x280 k=8 n=12 k_stride=12 n_stride=1",
                  "m.conv addr=0x40 out_h=16 out_w=1 swap=1",
                  "v.quant view=dst zp=6 rounding=double", "v.clamp lo=-128 hi=127",
                  "v.params record_stride=10", "v.shape n0=12 n1=1 n2=16 n3=1",
                  "v.view view=dst s0=1 s1=12 s2=12",
                  "v.drain dst=0x100 params=0x200 acc_type=i32 out=i8"));
}

// The array's columns hold three channels twice, so that two pixels are enough.
TEST(LowerConv, FewerPixelsTogetherWhereTheArrayHoldsTheirWeightsTwice) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 64, 32, 8});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 64, 32, 8});
  const Conv conv = Pointwise(bench, x, 64, 32, 8, 8);
  EXPECT_THAT(bench.LowerWork(conv, y),
              testing::Contains(testing::HasSubstr(" k=16 n=16 k_stride=16 ")));
}

// 64 input channels are two folds, the second of which adds to the first's sums.
TEST(LowerConv, FoldsAccumulate) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 1, 2, 64});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 1, 2, 32});
  const Conv conv = Pointwise(bench, x, 1, 2, 64, 32);
  // 320 bytes of records and two planes of 32 x 32, in chunks of about half of all: 1248 bytes, too
  // few for the records and a plane.
  EXPECT_THAT(bench.LowerWork(conv, y),
              ElementsAre("ld.copy spm=0x180 bytes=320", "ld.copy dram=0x140 spm=0x300 bytes=1024",
                          "m.loadw addr=0x300 k=32 n=32 k_stride=32 n_stride=1",
                          "m.conv addr=0x40 out_h=1 out_w=2 swap=1",
                          "ld.copy dram=0x540 spm=0x740 bytes=1024",
                          "m.loadw addr=0x740 k=32 n=32 k_stride=32 n_stride=1",
                          "m.conv addr=0x60 out_h=1 out_w=2 swap=1 accumulate=1",
                          "v.drain dst=0x100 params=0x180 acc_type=i32 out=i8"));
}

// A step of 4096 bytes: 1024 for the image, which is two rows of the result. Weights, 9 planes of
// 1024 bytes, do not stay: every tile loads them again.
TEST(LowerConv, StreamsTilesOfTheImage) {
  LoweringBench bench(4096);
  const ValueId x = bench.InDram(Dtype::kI8, {1, 8, 8, 32});
  const ValueId y = bench.InDram(Dtype::kI8, {1, 8, 8, 32}, 8192);
  Conv conv;
  conv.x = x;
  conv.w = bench.Constant(Dtype::kI8, {32, 3, 3, 32}, Counting(9 * 1024));
  conv.in_c = conv.out_c = 32;
  conv.geometry.h = {.in = 8, .out = 8, .kernel = 3, .pad = 1};
  conv.geometry.w = conv.geometry.h;
  conv.requantize.scales = {{1 << 30, 0}};
  const Lines lines = bench.LowerWork(conv, y);
  // Records, image, nine times plane, weights, product; drain, store.
  constexpr size_t kTile = 2 + 9 * 3 + 2;
  ASSERT_EQ(lines.size(), 4 * kTile);
  // The result at 0x40, records at 0x280, rows 0 to 2 of the image at 0x400.
  EXPECT_THAT(Lines(lines.begin(), lines.begin() + 5),
              ElementsAre("ld.copy spm=0x280 bytes=320", "ld.copy binding=1 spm=0x400 bytes=768",
                          "ld.copy dram=0x140 spm=0x740 bytes=1024",
                          "m.loadw addr=0x740 k=32 n=32 k_stride=32 n_stride=1",
                          "m.conv addr=0x400 y0=-1 x0=-1 out_h=2 out_w=8 swap=1"));
  EXPECT_EQ(lines[kTile - 1], "st.copy binding=1 dram=0x2000 spm=0x40 bytes=512");
  EXPECT_THAT(lines[kTile + 1], testing::HasSubstr("ld.copy binding=1 dram=0x100 "))
      << "rows 1 to 4";
  EXPECT_THAT(lines[4 * kTile - 1], testing::HasSubstr("st.copy binding=1 dram=0x2600 "));
}

// Work for a while becomes pieces, so that what comes before and after runs beside it: one row its
// columns. Of both folds 334 pixels, 334 and the rest.
TEST(LowerConv, OneTileIsCutIntoPieces) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 1, 1000, 64});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 1, 1000, 32});
  Lines products;
  for (const std::string& line : bench.LowerWork(Pointwise(bench, x, 1, 1000, 64, 32), y)) {
    if (line.starts_with("m.conv ")) products.push_back(line.substr(line.find("out_h")));
  }
  EXPECT_THAT(products,
              ElementsAre("out_h=1 out_w=334 swap=1", "out_h=1 out_w=334 swap=1 accumulate=1",
                          "out_h=1 out_w=334 swap=1", "out_h=1 out_w=334 swap=1 accumulate=1",
                          "out_h=1 out_w=332 swap=1", "out_h=1 out_w=332 swap=1 accumulate=1"));
}

// The weights of one column tile fit, those of all do not: tiles of pixels inside, each weight once.
TEST(LowerConv, ColumnsOutsideWhereTheImageIsResident) {
  LoweringBench bench(4096);
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 64, 64, 32});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 64, 64, 64});
  const Lines lines = bench.LowerWork(Pointwise(bench, x, 64, 64, 32, 64), y);
  // Per column tile: records, plane; per tile of 1024 pixels weights, product, drain.
  ASSERT_EQ(lines.size(), 2u * (2 + 4 * 3));
  EXPECT_EQ(lines[3], "m.conv addr=0x40 out_h=16 out_w=64 swap=1");
  EXPECT_EQ(lines[6], "m.conv addr=0x8040 acc=1024 out_h=16 out_w=64 swap=1");
  EXPECT_EQ(lines[9], "m.conv addr=0x10040 out_h=16 out_w=64 swap=1") << "accumulators in turn";
}

TEST(LowerConv, AnOutputThatStaysIsStoredByTiles) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 64, 64, 32});
  const ValueId y = bench.OutputInScratchpad(Dtype::kI8, {1, 64, 64, 32});
  Lines stores;
  for (const std::string& line : bench.LowerWork(Pointwise(bench, x, 64, 64, 32, 32), y)) {
    if (line.starts_with("st.")) stores.push_back(line);
  }
  EXPECT_THAT(stores, ElementsAre("st.copy binding=3 spm=0x20080 bytes=32768",
                                  "st.copy binding=3 dram=0x8000 spm=0x28080 bytes=32768",
                                  "st.copy binding=3 dram=0x10000 spm=0x30080 bytes=32768",
                                  "st.copy binding=3 dram=0x18000 spm=0x38080 bytes=32768"));
}

// Four pixels do not divide a row of 31: the last four are a tile of their own, one further to the
// left, so that they end where the row does.
TEST(LowerConv, TheLastPixelsOfARowAreATileOfTheirOwn) {
  LoweringBench bench;
  bench.hardware().row_groups = bench.hardware().col_groups = 1;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 64, 31, 8});
  const ValueId y = bench.InScratchpad(Dtype::kI8, {1, 64, 31, 8});
  const Lines lines = bench.LowerWork(Pointwise(bench, x, 64, 31, 8, 8), y);
  // Weights, product, drain of both tiles of the last rows.
  ASSERT_GE(lines.size(), 6u);
  const auto last = lines.end();
  EXPECT_THAT(*(last - 5), testing::EndsWith(" out_h=32 out_w=7 swap=1"));
  EXPECT_THAT(*(last - 2), testing::EndsWith(" out_h=32 out_w=1 swap=1"));
  // 27 pixels of 8 channels.
  const auto at = [](const std::string& line, const char* field) {
    return std::stoi(line.substr(line.find(field) + std::string(field).size()), nullptr, 16);
  };
  EXPECT_EQ(at(*(last - 2), "addr=0x") - at(*(last - 5), "addr=0x"), 27 * 8);
  EXPECT_EQ(at(*(last - 1), "dst=0x") - at(*(last - 4), "dst=0x"), 27 * 8);
}

// The value's home in DRAM gets whole rows, not the tiles' parts of them.
TEST(LowerConv, RowsOfTwoTilesAreStoredTogether) {
  LoweringBench bench;
  bench.hardware().row_groups = bench.hardware().col_groups = 1;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 64, 31, 8});
  const ValueId y = bench.OutputInScratchpad(Dtype::kI8, {1, 64, 31, 8});
  Lines stores;
  for (const std::string& line : bench.LowerWork(Pointwise(bench, x, 64, 31, 8, 8), y)) {
    if (line.starts_with("st.")) stores.push_back(line);
  }
  ASSERT_EQ(stores.size(), 2u);
  for (const std::string& line : stores) EXPECT_THAT(line, testing::EndsWith(" bytes=7936"));
}

struct AccCase {
  const char* name;
  Dtype dtype;
  Dtype weights;
  const char* drain;
};

class ConvTypes : public testing::TestWithParam<AccCase> {};

TEST_P(ConvTypes, DecideTheAccumulators) {
  LoweringBench bench;
  const AccCase& c = GetParam();
  const ValueId x = bench.InScratchpad(c.dtype, {1, 1, 2, 1});
  const ValueId y = bench.InScratchpad(c.dtype, {1, 1, 2, 1});
  Conv conv = Pointwise(bench, x, 1, 2, 1, 1);
  conv.dtype = c.dtype;
  conv.w = bench.Constant(c.weights, {1, 1, 1, 1}, Counting(SizeBytes(c.weights)));
  const Lines lines = bench.LowerWork(conv, y);
  EXPECT_THAT(lines.back(), testing::EndsWith(c.drain));
}

INSTANTIATE_TEST_SUITE_P(Cases, ConvTypes,
                         testing::ValuesIn(std::vector<AccCase>{
                             {"Int8", Dtype::kI8, Dtype::kI8, "acc_type=i32 out=i8"},
                             {"Uint8", Dtype::kU8, Dtype::kU8, "acc_type=i32 out=u8"},
                             {"Int16", Dtype::kI16, Dtype::kI8, "acc_type=i64 out=i16"},
                             {"Float", Dtype::kF32, Dtype::kF32, "acc_type=f32 out=f32"},
                         }),
                         [](const auto& info) { return info.param.name; });

// Two halves of the channels of a grouped convolution: each reads and writes its own, and the
// whole result is stored once.
TEST(LowerConvParts, PartsStandWithinTheWhole) {
  LoweringBench bench;
  const ValueId x = bench.InScratchpad(Dtype::kI8, {1, 1, 3, 8});
  const ValueId y = bench.OutputInScratchpad(Dtype::kI8, {1, 1, 3, 6});
  ConvParts op;
  for (int32_t group : {0, 1}) {
    Conv conv = Pointwise(bench, x, 1, 3, 4, 3);
    conv.part = {.x_channels = 8,
                 .first_x_channel = 4 * group,
                 .y_rows = 1,
                 .y_cols = 3,
                 .y_channels = 6,
                 .first_channel = 3 * group};
    op.parts.push_back(conv);
  }
  Lines work;
  for (const std::string& line : bench.LowerWork(op, y)) {
    if (!line.starts_with("ld.") && !line.starts_with("m.loadw")) work.push_back(line);
  }
  // Both parts' weights are equal, so the second ones' records stand in another buffer.
  ASSERT_EQ(work.size(), 5u);
  EXPECT_EQ(work[0], "m.conv addr=0x40 out_h=1 out_w=3 swap=1");
  EXPECT_THAT(work[1], testing::StartsWith("v.drain dst=0xc0 "));
  EXPECT_EQ(work[2], "m.conv addr=0x44 acc=4 out_h=1 out_w=3 swap=1");
  EXPECT_THAT(work[3], testing::StartsWith("v.drain acc=4 dst=0xc3 "));
  EXPECT_EQ(work[4], "st.copy binding=3 spm=0xc0 bytes=18");
}

}  // namespace
}  // namespace acme::compiler
