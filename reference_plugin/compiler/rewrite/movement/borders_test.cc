// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/borders.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

// An image [1, 4, 5, channels] in a border, which a convolution of 3x3 reads.
struct BorderCase {
  const char* name;
  int32_t top = 1;
  int32_t left = 1;
  int32_t rows = 6;  // of the padded image
  int32_t cols = 7;
  int32_t channels = 2;  // of the padded image; the image has two
  uint32_t fill = 0;
  int32_t act_zp = 0;
  int32_t conv_pad = 0;
  bool padded_is_output = false;
  bool second_reader = false;
  std::optional<int32_t> fused_pad_h;  // afterwards; nothing if the border stays
  std::optional<int32_t> fused_pad_w;
};

Network Bordered(const BorderCase& c, bool depthwise) {
  Network network;
  const ValueId image = AddInput(network, {1, 4, 5, 2});
  const ValueId padded = AddValue(network, {1, c.rows, c.cols, c.channels});
  const ValueId weights = AddConstant(network, {1, 3, 3, 2});
  const int64_t row = int64_t{c.cols} * c.channels;
  auto move = std::make_shared<Move>();
  move->pieces = {{.fill = c.fill, .dims = {{1, 0, 1}}},  // where it is filled does not matter here
                  {.from = image,
                   .to_base_elems = c.top * row + c.left * c.channels,
                   .dims = {{2, 1, 1}, {5, 2, c.channels}, {4, 10, row}}}};
  AddLayer(network, padded, std::move(move));
  if (c.padded_is_output) MakeOutput(network, padded);
  const WindowGeometry geometry = {
      1,
      {.in = c.rows, .out = c.rows - 2 + 2 * c.conv_pad, .kernel = 3, .pad = c.conv_pad},
      {.in = c.cols, .out = c.cols - 2 + 2 * c.conv_pad, .kernel = 3, .pad = c.conv_pad}};
  const ValueId y = AddValue(network, {1, geometry.h.out, geometry.w.out, 1});
  const auto fill_in = [&](auto conv) {
    conv->geometry = geometry;
    conv->in_c = c.channels;
    conv->x = padded;
    conv->w = weights;
    conv->act_zp = c.act_zp;
    AddLayer(network, y, std::move(conv));
  };
  depthwise ? fill_in(std::make_shared<Depthwise>()) : fill_in(std::make_shared<Conv>());
  MakeOutput(network, y);
  if (c.second_reader) {
    const ValueId other = AddValue(network, {1});
    AddLayer(network, other, std::make_shared<StandInOp>(std::vector<ValueId>{padded}));
    MakeOutput(network, other);
  }
  return network;
}

class Borders : public testing::TestWithParam<BorderCase> {};

template <class C>
void ExpectFused(const BorderCase& c, const Network& network) {
  Network fused = network;
  FuseBorders(fused);
  const Layer& last = fused.layers[c.fused_pad_h ? 0 : 1];
  const auto* conv = last.As<C>();
  ASSERT_NE(conv, nullptr);
  ASSERT_EQ(fused.layers.size(), network.layers.size() - (c.fused_pad_h ? 1 : 0));
  EXPECT_EQ(conv->x, c.fused_pad_h ? 0 : 1);
  EXPECT_EQ(conv->geometry.h.in, c.fused_pad_h ? 4 : c.rows);
  EXPECT_EQ(conv->geometry.w.in, c.fused_pad_h ? 5 : c.cols);
  EXPECT_EQ(conv->geometry.h.pad, c.fused_pad_h.value_or(c.conv_pad));
  EXPECT_EQ(conv->geometry.w.pad, c.fused_pad_w.value_or(c.conv_pad));
  EXPECT_EQ(conv->geometry.h.out, c.rows - 2 + 2 * c.conv_pad) << "the result keeps its shape";
}

TEST_P(Borders, BecomePaddingOfAConvolution) {
  ExpectFused<Conv>(GetParam(), Bordered(GetParam(), /*depthwise=*/false));
}

TEST_P(Borders, BecomePaddingOfADepthwiseConvolution) {
  ExpectFused<Depthwise>(GetParam(), Bordered(GetParam(), /*depthwise=*/true));
}

TEST(NoBorders, OfAnImageThatIsWalkedAsOneRowStay) {
  Network network = Bordered({.name = ""}, /*depthwise=*/false);
  Layer& last = network.layers.back();
  auto dense = std::make_shared<Conv>(*last.As<Conv>());
  const int32_t pixels = dense->geometry.h.in * dense->geometry.w.in;
  dense->geometry = {1, {.in = 1, .out = 1}, {.in = pixels, .out = pixels}};
  last.op = std::move(dense);
  FuseBorders(network);
  EXPECT_EQ(network.layers.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Borders,
    testing::ValuesIn(std::vector<BorderCase>{
        {.name = "AllAround", .fused_pad_h = 1, .fused_pad_w = 1},
        {.name = "OnOneSideOnly",
         .top = 2,
         .left = 0,
         .cols = 5,
         .fused_pad_h = 2,
         .fused_pad_w = 0},
        {.name = "BehindTheImage", .top = 0, .left = 0, .fused_pad_h = 0, .fused_pad_w = 0},
        {.name = "AddsToTheConvolutionsOwn", .conv_pad = 1, .fused_pad_h = 2, .fused_pad_w = 2},
        {.name = "OfTheZeroPoint", .fill = 0xfd, .act_zp = -3, .fused_pad_h = 1, .fused_pad_w = 1},
        {.name = "OfAnotherValueStays", .fill = 0xfd, .act_zp = 0},
        {.name = "OfChannelsStays", .channels = 3},
        {.name = "ThatIsAnOutputStays", .padded_is_output = true},
        {.name = "ThatAnotherReadsStays", .second_reader = true},
        {.name = "BeyondTheField", .top = 1001, .rows = 1005},
    }),
    [](const auto& info) { return info.param.name; });

// Windows of 3x3 over a border around an image of bytes that are at least `least`.
struct PoolBorderCase {
  const char* name;
  int32_t fill = -128;
  int32_t least = -128;
  PoolOp op = PoolOp::kMax;
  int32_t top = 1;
  int32_t rows = 6;
  int32_t stride = 1;
  Dtype dtype = Dtype::kI8;
  bool fuses = false;
};

class PoolBorders : public testing::TestWithParam<PoolBorderCase> {};

TEST_P(PoolBorders, OfWhatIsNeverTheLargest) {
  const PoolBorderCase& c = GetParam();
  Network network =
      Bordered({.name = "", .top = c.top, .rows = c.rows, .fill = static_cast<uint32_t>(c.fill)},
               /*depthwise=*/false);
  auto pool = std::make_shared<Pool>();
  const Conv& conv = *network.layers.back().As<Conv>();
  pool->x = conv.x;
  pool->op = c.op;
  pool->dtype = c.dtype;
  pool->channels = 2;
  pool->height = conv.geometry.h;
  pool->height.stride = c.stride;
  pool->height.out = (pool->height.in - 3) / c.stride + 1;
  pool->width = conv.geometry.w;
  network.layers.back().op = std::move(pool);
  for (Value& value : network.values) value.dtype = c.dtype;
  // What makes the image knows its least element.
  network.values[0].input_index = -1;
  network.inputs = {};
  auto made = std::make_shared<Conv>();
  made->dtype = c.dtype;
  made->requantize.clamp = {c.least, 127};
  network.layers.insert(network.layers.begin(), Layer{.output = 0, .op = std::move(made)});
  Network fused = network;
  FuseBorders(fused);
  const auto* last = fused.layers.back().As<Pool>();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(fused.layers.size(), c.fuses ? 2u : 3u);
  EXPECT_EQ(last->x, c.fuses ? 0 : 1);
  EXPECT_EQ(last->height.in, c.fuses ? 4 : c.rows);
  EXPECT_EQ(last->height.pad, c.fuses ? c.top : 0);
  EXPECT_EQ(last->width.pad, c.fuses ? 1 : 0);
}

constexpr int32_t kMinusInfinity = std::bit_cast<int32_t>(0xff800000u);
INSTANTIATE_TEST_SUITE_P(
    Cases, PoolBorders,
    testing::ValuesIn(std::vector<PoolBorderCase>{
        {.name = "LeastOfTheType", .fuses = true},
        {.name = "LeastOfTheImage", .fill = -5, .least = -5, .fuses = true},
        {.name = "AboveTheImage", .fill = -5, .least = -6},
        {.name = "BytesWithoutSign", .fill = 0, .least = 0, .dtype = Dtype::kU8, .fuses = true},
        {.name = "Means", .op = PoolOp::kAverage},
        {.name = "AsWideAsAWindow", .top = 3, .rows = 7},
        {.name = "NearlyAsWide", .top = 2, .rows = 6, .fuses = true},
        {.name = "WindowsBehindTheImage", .top = 0, .rows = 7},
        {.name = "WindowsThatSkipThat", .top = 0, .rows = 7, .stride = 3, .fuses = true},
        {.name = "MinusInfinity", .fill = kMinusInfinity, .dtype = Dtype::kF32, .fuses = true},
        {.name = "FloatZero", .fill = 0, .dtype = Dtype::kF32},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
