// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/fuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"

namespace acme::compiler {
namespace {

ValueId Compute(Network& network, Shape shape, std::vector<ValueId> operands) {
  const ValueId id = AddValue(network, std::move(shape));
  AddLayer(network, id, std::make_shared<StandInOp>(std::move(operands)));
  return id;
}

ValueId Reshape(Network& network, ValueId from, Shape shape) {
  auto move = std::make_shared<Move>();
  move->pieces = {
      {.from = from, .dims = {{static_cast<int32_t>(network.value(from).Elems()), 1, 1}}}};
  const ValueId id = AddValue(network, std::move(shape));
  AddLayer(network, id, std::move(move));
  return id;
}

// -- Changes of shape ----------------------------------------------------------------------------

enum class Operand { kInput, kComputed, kConstant, kOutput };

struct ReshapeCase {
  const char* name;
  Operand operand;
  bool result_is_output;
  ValueId operand_base;  // afterwards; values are: 0 input, 1 operand, 2 result
  ValueId result_base;
  bool copied;  // the layer stays
};

class FuseReshapes : public testing::TestWithParam<ReshapeCase> {};

TEST_P(FuseReshapes, ShareStorageWhereTheyMay) {
  const ReshapeCase& c = GetParam();
  Network network;
  const ValueId input = AddInput(network, {2, 8});
  ValueId operand = kNoValue;
  switch (c.operand) {
    case Operand::kInput:
      operand = AddInput(network, {2, 8});
      break;
    case Operand::kConstant:
      operand = AddConstant(network, {2, 8});
      break;
    case Operand::kComputed:
    case Operand::kOutput:
      operand = Compute(network, {2, 8}, {input});
      if (c.operand == Operand::kOutput) MakeOutput(network, operand);
      break;
  }
  const ValueId result = Reshape(network, operand, {16});
  if (c.result_is_output) {
    MakeOutput(network, result);
  } else {
    MakeOutput(network, Compute(network, {16}, {result}));
  }
  const Network fused = Fuse(network);
  EXPECT_EQ(fused.value(operand).base, c.operand_base);
  EXPECT_EQ(fused.value(result).base, c.result_base);
  EXPECT_EQ(fused.layers.size(), network.layers.size() - (c.copied ? 0 : 1));
  EXPECT_EQ(fused.values.size(), network.values.size()) << "values keep their numbers";
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseReshapes,
    testing::ValuesIn(std::vector<ReshapeCase>{
        {"OfAComputedValue", Operand::kComputed, false, kNoValue, 1, false},
        {"OfAnInput", Operand::kInput, false, kNoValue, 1, false},
        {"OfAnOutput", Operand::kOutput, false, kNoValue, 1, false},
        // The operand is computed where the output stands.
        {"ToAnOutput", Operand::kComputed, true, 2, kNoValue, false},
        // Two buffers of the host's.
        {"OfAnInputToAnOutput", Operand::kInput, true, kNoValue, kNoValue, true},
        {"OfAnOutputToAnOutput", Operand::kOutput, true, kNoValue, kNoValue, true},
        {"OfAConstant", Operand::kConstant, false, kNoValue, kNoValue, true},
    }),
    [](const auto& info) { return info.param.name; });

TEST(FuseReshapes, OneValueCannotStandInTwoOutputs) {
  Network network;
  const ValueId operand = Compute(network, {16}, {AddInput(network, {16})});
  const ValueId first = Reshape(network, operand, {2, 8});
  const ValueId second = Reshape(network, operand, {4, 4});
  MakeOutput(network, first);
  MakeOutput(network, second);
  const Network fused = Fuse(network);
  EXPECT_EQ(fused.value(operand).base, first);
  ASSERT_EQ(fused.layers.size(), 2u);
  EXPECT_EQ(fused.layers[1].output, second);
}

TEST(FuseReshapes, AMoveThatTurnsElementsAroundStays) {
  Network network;
  const ValueId x = AddInput(network, {2, 8});
  const ValueId y = AddValue(network, {8, 2});
  auto move = std::make_shared<Move>();
  move->pieces = {{.from = x, .dims = {{2, 8, 1}, {8, 1, 2}}}};
  AddLayer(network, y, std::move(move));
  MakeOutput(network, Compute(network, {8, 2}, {y}));
  EXPECT_EQ(Fuse(network).layers.size(), 2u);
}

// -- Borders ---------------------------------------------------------------------------------------

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
  if (c.second_reader) MakeOutput(network, Compute(network, {1}, {padded}));
  return network;
}

class FuseBorders : public testing::TestWithParam<BorderCase> {};

template <class C>
void ExpectFused(const BorderCase& c, const Network& network) {
  const Network fused = Fuse(network);
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

TEST_P(FuseBorders, BecomePaddingOfAConvolution) {
  ExpectFused<Conv>(GetParam(), Bordered(GetParam(), /*depthwise=*/false));
}

TEST_P(FuseBorders, BecomePaddingOfADepthwiseConvolution) {
  ExpectFused<Depthwise>(GetParam(), Bordered(GetParam(), /*depthwise=*/true));
}

TEST(FuseNoBorders, OfAnImageThatIsWalkedAsOneRowStay) {
  Network network = Bordered({.name = ""}, /*depthwise=*/false);
  Layer& last = network.layers.back();
  auto dense = std::make_shared<Conv>(*last.As<Conv>());
  const int32_t pixels = dense->geometry.h.in * dense->geometry.w.in;
  dense->geometry = {1, {.in = 1, .out = 1}, {.in = pixels, .out = pixels}};
  last.op = std::move(dense);
  EXPECT_EQ(Fuse(network).layers.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseBorders,
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

class FusePoolBorders : public testing::TestWithParam<PoolBorderCase> {};

TEST_P(FusePoolBorders, OfWhatIsNeverTheLargest) {
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
  const Network fused = Fuse(network);
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
    Cases, FusePoolBorders,
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

// -- Squares -------------------------------------------------------------------------------------

// Means of a * b of [4, 6], over each row.
Network MeansOfProducts(ValueId b) {
  Network network;
  AddInput(network, {4, 6});
  AddInput(network, {4, 6});
  AddValue(network, {4, 6});
  AddValue(network, {4, 1});
  auto product = std::make_shared<Binary>();
  product->op = BinaryOp::kMul;
  product->extent = {24, 1, 1, 1};
  product->a = {.value = 0, .stride_elems = {1, 0, 0, 0}};
  product->b = {.value = b, .stride_elems = {1, 0, 0, 0}};
  product->clamp = FloatActivationRange(Activation::kNone);
  AddLayer(network, 2, std::move(product));
  auto mean = std::make_shared<Reduce>();
  mean->x = 2;
  mean->op = ReduceOp::kMean;
  mean->in = Dtype::kF32;
  mean->out = Dtype::kF32;
  mean->dims = {{6, true}, {4, false}};
  AddLayer(network, 3, std::move(mean));
  MakeOutput(network, 3);
  for (Value& value : network.values) value.dtype = Dtype::kF32;
  return network;
}

TEST(FuseSquares, RideOnTheirMeanOrSum) {
  for (const ReduceOp op : {ReduceOp::kMean, ReduceOp::kSum}) {
    Network network = MeansOfProducts(0);
    auto reduce = std::make_shared<Reduce>(*network.layers[1].As<Reduce>());
    reduce->op = op;
    network.layers[1].op = reduce;
    const Network fused = Fuse(network);
    ASSERT_EQ(fused.layers.size(), 1u);
    const auto* squares = fused.layers[0].As<Reduce>();
    EXPECT_EQ(squares->x, 0);
    EXPECT_EQ(squares->op, op == ReduceOp::kMean ? ReduceOp::kMeanSquares : ReduceOp::kSumSquares);
  }
}

TEST(FuseSquares, OfAFunctionToo) {
  Network network = MeansOfProducts(0);
  auto square = std::make_shared<Map>();
  square->x = 0;
  square->in = Dtype::kF32;
  square->out = Dtype::kF32;
  square->function = UnaryOp::kSquare;
  const ClampRange open = FloatActivationRange(Activation::kNone);
  square->clamp = {.lo = open.lo, .hi = open.hi};
  network.layers[0].op = square;
  EXPECT_EQ(Fuse(network).layers.size(), 1u);
}

struct NoSquaresCase {
  const char* name;
  void (*change)(Network& network, Binary& product);
};

class FuseNoSquares : public testing::TestWithParam<NoSquaresCase> {};

TEST_P(FuseNoSquares, StayByThemselves) {
  Network network = MeansOfProducts(0);
  auto product = std::make_shared<Binary>(*network.layers[0].As<Binary>());
  GetParam().change(network, *product);
  network.layers[0].op = product;
  EXPECT_GE(Fuse(network).layers.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FuseNoSquares,
    testing::ValuesIn(std::vector<NoSquaresCase>{
        {"OfTwoValues", [](Network&, Binary& product) { product.b.value = 1; }},
        {"OfSums", [](Network&, Binary& product) { product.op = BinaryOp::kAdd; }},
        {"Clamped",
         [](Network&, Binary& product) {
           product.clamp = FloatActivationRange(Activation::kRelu6);
         }},
        {"OfOneElement", [](Network&, Binary& product) { product.b.stride_elems = {}; }},
        {"ReadByOthers",
         [](Network& network, Binary&) {
           Compute(network, {4, 6}, {2});
         }},
        {"AnOutput", [](Network& network, Binary&) { MakeOutput(network, 2); }},
        {"OfIntegers",
         [](Network& network, Binary&) {
           for (Value& value : network.values) value.dtype = Dtype::kI8;
         }},
    }),
    [](const auto& info) { return info.param.name; });

TEST(Fuse, OfAnEmptyNetworkIsEmpty) {
  const Network fused = Fuse({});
  EXPECT_TRUE(fused.layers.empty());
  EXPECT_TRUE(fused.values.empty());
}

}  // namespace
}  // namespace acme::compiler
