// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/rows/mark_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
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
  binary->a = {.value = c.a, .stride_elems = DenseStrides(c.extent)};
  binary->b = {.value = c.b, .stride_elems = DenseStrides(c.extent)};
  binary->extent = c.extent;
  if (c.outer) binary->outer = {{1, 0, 0}};
  AddLayer(network, y, std::move(binary));
  MakeOutput(network, y);
  MarkRows(network);
  const auto* marked = network.layers[1].As<Binary>();
  EXPECT_EQ(marked->row_elems, c.images.empty() ? 0 : 8);
  EXPECT_EQ(marked->Images(), c.images);
}

// As large as the result, but in another order: rows of the one are not rows of the other.
TEST(MarkBinaryRows, OperandsReadByOtherStridesAreThereAsAWhole) {
  Network network;
  AddInput(network, {1, 4, 4, 2});
  Compute(network, {1, 4, 4, 2}, {0});
  const ValueId y = AddValue(network, {1, 4, 4, 2});
  auto binary = std::make_shared<Binary>();
  binary->extent = {2, 4, 4, 1};
  binary->a = {.value = 0, .stride_elems = DenseStrides(binary->extent)};
  binary->b = {.value = 1, .stride_elems = {1, 8, 2, 0}};
  AddLayer(network, y, std::move(binary));
  MakeOutput(network, y);
  MarkRows(network);
  EXPECT_EQ(network.layers[1].As<Binary>()->Images(), std::vector<ValueId>{0});
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

// Has each token's heads stand together.
void DealByTokens(Network& network) {
  auto product = std::make_shared<MatMul>(*network.layers[0].As<MatMul>());
  product->a_row_stride = 3 * 4;
  product->y_row_stride = 3 * 6;
  for (MatMul::Product& head : product->products) {
    head.a /= 8;
    head.y /= 8;
  }
  network.layers[0].op = product;
}

// [8, heads, 6] = [8, heads, 4] * [heads, 4, 6]: rows are tokens.
TEST(MarkRows, OfAttentionByTokensAreRowsOfEachHead) {
  Network network = Attention({1, 8, 3, 4}, {1, 3, 4, 6}, {1, 8, 3, 6});
  DealByTokens(network);
  MarkRows(network);
  const auto* marked = network.layers[0].As<MatMul>();
  EXPECT_EQ(marked->row_elems, 3 * 6);
  EXPECT_EQ(marked->a_row_elems, 3 * 4);
  EXPECT_TRUE(marked->row_of_each);
}

// [8, heads, 6] as a reshape calls it, in which tokens are no rows.
Network ScoresByTokens(const Shape& name) {
  Network network = Attention({1, 8, 3, 4}, {1, 3, 4, 6}, {1, 8, 1, 3, 6});
  DealByTokens(network);
  auto softmax = std::make_shared<Softmax>(*network.layers[1].As<Softmax>());
  softmax->x = AddValue(network, name);
  network.values.back().base = 2;
  network.layers[1].op = softmax;
  network.values[3].output_index = -1;
  MakeOutput(network, Compute(network, {3}, {3}));
  network.outputs.erase(network.outputs.begin());
  return network;
}

TEST(MarkRows, ThatReadersKnowByAnotherNameAreMadeUnderIt) {
  Network network = ScoresByTokens({1, 24, 1, 6});
  MarkRows(network);
  EXPECT_EQ(network.layers[0].output, 4);
  EXPECT_EQ(network.value(4).base, kNoValue);
  EXPECT_EQ(network.value(4).shape, (Shape{1, 8, 3, 6}));
  EXPECT_TRUE(network.layers[0].As<MatMul>()->row_of_each);
}

TEST(MarkRows, AreNoTokensOfScoresThatAreTooLarge) {
  Network network = ScoresByTokens({1, 24, 1, 6});
  MarkRows(network, network.value(2).Bytes() - 1);
  EXPECT_EQ(network.layers[0].output, 2);
  EXPECT_FALSE(network.layers[0].As<MatMul>()->row_of_each);
}

TEST(MarkRows, ThatHaveTwoNamesKeepBoth) {
  Network network = Attention({1, 3, 8, 4}, {1, 3, 4, 6}, {1, 3, 8, 6});
  const ValueId name = AddValue(network, {3, 8, 6});
  network.values.back().base = 2;
  Compute(network, {3, 8, 6}, {name});
  MarkRows(network);
  EXPECT_EQ(network.layers[0].output, 2);
  EXPECT_EQ(network.value(name).base, 2);
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

// The place of each pixel's largest channel, [1, rows, columns], and its 64 bits.
struct OneChannelCase {
  const char* name;
  bool widened;           // by a layer, else read by one that goes by shapes
  bool has_another_name;  // of another shape
  Shape shape;            // of the places, afterwards
};

class KeepOneChannel : public testing::TestWithParam<OneChannelCase> {};

TEST_P(KeepOneChannel, WhereNobodyGoesByTheShape) {
  const OneChannelCase& c = GetParam();
  Network network;
  const ValueId x = AddInput(network, {1, 8, 4, 21});
  const ValueId places = AddValue(network, {1, 8, 4});
  auto reduce = std::make_shared<Reduce>();
  reduce->x = x;
  reduce->place = true;
  reduce->dims = {{21, true}, {32, false}};
  AddLayer(network, places, std::move(reduce));
  const ValueId wide = AddValue(network, {1, 8, 4});
  if (c.widened) {
    auto widen = std::make_shared<Reduce>();
    widen->x = places;
    widen->dims = {{32, false}};
    AddLayer(network, wide, std::move(widen));
  } else {
    AddLayer(network, wide, std::make_shared<StandInOp>(std::vector<ValueId>{places}));
  }
  MakeOutput(network, wide);
  if (c.has_another_name)
    network.values[static_cast<size_t>(AddValue(network, {32}))].base = places;
  MarkRows(network);
  EXPECT_EQ(network.value(places).shape, c.shape);
  const bool is_image = c.shape.size() == 4;
  EXPECT_EQ(network.layers[0].op->AsRowWise() != nullptr, is_image);
  EXPECT_EQ(network.layers[1].op->AsRowWise() != nullptr, is_image);
}

INSTANTIATE_TEST_SUITE_P(Cases, KeepOneChannel,
                         testing::ValuesIn(std::vector<OneChannelCase>{
                             {"Widened", true, false, {1, 8, 4, 1}},
                             {"ReadByShape", false, false, {1, 8, 4}},
                             {"OfTwoNames", true, true, {1, 8, 4}},
                         }),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace acme::compiler
