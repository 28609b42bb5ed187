// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/fuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
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

// -- Rows of elementwise layers ----------------------------------------------------------------------

struct MapRowsCase {
  const char* name;
  Shape shape;
  int32_t row_elems;  // 0: rows are not marked
};

class MarkMapRows : public testing::TestWithParam<MapRowsCase> {};

TEST_P(MarkMapRows, AreMarkedOnOneImageOfSeveralRows) {
  Network network;
  const ValueId x = AddInput(network, GetParam().shape);
  const ValueId y = AddValue(network, GetParam().shape);
  auto map = std::make_shared<Map>();
  map->x = x;
  AddLayer(network, y, std::move(map));
  MakeOutput(network, y);
  MarkRows(network);
  EXPECT_EQ(network.layers[0].As<Map>()->row_elems, GetParam().row_elems);
  EXPECT_EQ(network.layers[0].op->AsRowWise() != nullptr, GetParam().row_elems > 0);
}

INSTANTIATE_TEST_SUITE_P(Cases, MarkMapRows,
                         testing::ValuesIn(std::vector<MapRowsCase>{
                             {"OneImage", {1, 8, 4, 2}, 8},
                             {"OddRows", {1, 7, 3, 5}, 15},
                             {"TwoImages", {2, 8, 4, 2}, 8},
                             {"OneRow", {1, 1, 4, 2}, 0},
                             {"ThreeDimensions", {8, 4, 2}, 8},
                             {"OneMatrix", {1, 4, 2}, 0},
                         }),
                         [](const auto& info) { return info.param.name; });

// Which operands are images, of which rows will do: 0 is a network input, 1 was just computed.
struct BinaryRowsCase {
  const char* name;
  ValueId a;
  ValueId b;
  std::array<int32_t, 4> extent;
  bool outer;
  std::vector<ValueId> images;  // none: rows are not marked
};

class MarkBinaryRows : public testing::TestWithParam<BinaryRowsCase> {};

TEST_P(MarkBinaryRows, AreThoseOfRunTimeOperandsOfTheShape) {
  const BinaryRowsCase& c = GetParam();
  Network network;
  AddInput(network, {1, 8, 4, 2});
  Compute(network, {1, 8, 4, 2}, {0});
  const ValueId channels = AddConstant(network, {2});
  ASSERT_EQ(channels, 2);
  const ValueId y = AddValue(network, {1, 8, 4, 2});
  auto binary = std::make_shared<Binary>();
  binary->a.value = c.a;
  binary->b.value = c.b;
  binary->extent = c.extent;
  if (c.outer) binary->outer = {{1, 0, 0}};
  AddLayer(network, y, std::move(binary));
  MakeOutput(network, y);
  MarkRows(network);
  const auto* marked = network.layers[1].As<Binary>();
  EXPECT_EQ(marked->row_elems, c.images.empty() ? 0 : 8);
  EXPECT_EQ(marked->Images(), c.images);
}

INSTANTIATE_TEST_SUITE_P(Cases, MarkBinaryRows,
                         testing::ValuesIn(std::vector<BinaryRowsCase>{
                             {"OneThenTheOther", 1, 0, {64, 1, 1, 1}, false, {1, 0}},
                             {"TheOtherWayRound", 0, 1, {64, 1, 1, 1}, false, {0, 1}},
                             {"Twice", 1, 1, {64, 1, 1, 1}, false, {1, 1}},
                             {"BesideAConstant", 1, 2, {2, 32, 1, 1}, false, {1}},
                             {"BehindAConstant", 2, 1, {2, 32, 1, 1}, false, {1}},
                             {"NoImage", 2, 2, {2, 32, 1, 1}, false, {}},
                             {"OuterDimensions", 0, 1, {64, 1, 1, 1}, true, {}},
                             // No walk of the engine ends at the end of a row of 8 elements.
                             {"RowsAcrossWalks", 0, 1, {3, 64, 1, 1}, false, {}},
                         }),
                         [](const auto& info) { return info.param.name; });

// [heads, 8, 6] = [heads, 8, 4] * [heads, 4, 6], and its softmax.
Network Attention(const Shape& a, const Shape& b, const Shape& y) {
  Network network;
  AddInput(network, a);
  AddInput(network, b);
  AddValue(network, y);
  AddValue(network, y);
  auto product = std::make_shared<MatMul>();
  product->a = 0;
  product->b = 1;
  product->rows = 8;
  product->depth = 4;
  product->cols = 6;
  product->SetDenseRows();
  for (int64_t head = 0; head < 3; ++head)
    product->products.push_back({head * 8 * 4, head * 4 * 6, head * 8 * 6});
  AddLayer(network, 2, std::move(product));
  auto softmax = std::make_shared<Softmax>();
  softmax->x = 2;
  softmax->rows = 3 * 8;
  softmax->depth = 6;
  AddLayer(network, 3, std::move(softmax));
  MakeOutput(network, 3);
  return network;
}

TEST(MarkRows, OfAttentionAreItsHeads) {
  Network network = Attention({1, 3, 8, 4}, {1, 3, 4, 6}, {1, 3, 8, 6});
  MarkRows(network);
  const auto* product = network.layers[0].As<MatMul>();
  EXPECT_EQ(product->row_elems, 8 * 6);
  EXPECT_EQ(product->Images(), std::vector<ValueId>{0});
  EXPECT_EQ(product->a_row_elems, 8 * 4);
  EXPECT_EQ(network.layers[1].As<Softmax>()->row_elems, 8 * 6);
}

TEST(MarkRows, OfSeveralBatchesAreThoseOfOneImage) {
  for (const Shape& batches : {Shape{3}, Shape{3, 1}}) {
    const auto with = [&](int32_t rows, int32_t cols) {
      Shape shape = batches;
      shape.insert(shape.end(), {rows, cols});
      return shape;
    };
    Network network = Attention(with(8, 4), with(4, 6), with(8, 6));
    MarkRows(network);
    EXPECT_EQ(network.value(2).shape, (Shape{1, 3, 8, 6}));
    EXPECT_EQ(network.layers[0].As<MatMul>()->row_elems, 8 * 6);
    EXPECT_EQ(network.layers[1].As<Softmax>()->Images(), std::vector<ValueId>{2});
  }
}

TEST(MarkRows, OfAnOperandThatIsTurnedAreNotRead) {
  Network network = Attention({1, 8, 3, 4}, {1, 3, 4, 6}, {1, 3, 8, 6});
  auto product = std::make_shared<MatMul>(*network.layers[0].As<MatMul>());
  product->a_row_stride = 3 * 4;
  for (MatMul::Product& head : product->products) head.a = head.a / 8;
  network.layers[0].op = product;
  MarkRows(network);
  EXPECT_EQ(network.layers[0].As<MatMul>()->row_elems, 8 * 6);
  EXPECT_TRUE(network.layers[0].As<MatMul>()->Images().empty());
}

TEST(MarkRows, AreNoneWhereProductsGoAcrossThem) {
  Network network = Attention({1, 3, 8, 4}, {1, 3, 4, 6}, {1, 4, 6, 6});
  MarkRows(network);
  EXPECT_EQ(network.layers[0].op->AsRowWise(), nullptr);
}

TEST(MarkRows, ShapesThatOthersGoByStay) {
  Network network = Attention({3, 8, 4}, {3, 4, 6}, {3, 8, 6});
  Compute(network, {3, 8, 6}, {3});
  MarkRows(network);
  EXPECT_EQ(network.value(2).shape, (Shape{1, 3, 8, 6}));
  EXPECT_EQ(network.value(3).shape, (Shape{3, 8, 6}));
}

TEST(Fuse, OfAnEmptyNetworkIsEmpty) {
  const Network fused = Fuse({});
  EXPECT_TRUE(fused.layers.empty());
  EXPECT_TRUE(fused.values.empty());
}

}  // namespace
}  // namespace acme::compiler
