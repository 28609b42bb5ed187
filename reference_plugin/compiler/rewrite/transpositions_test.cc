// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/transpositions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/tests/made_network.h"
#include "reference_plugin/compiler/tests/stand_in_op.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using Product = MatMul::Product;

// Attention's first product: 3 tokens by 5 cached ones, 2 heads of 4 elements.
constexpr int32_t kTokens = 3;
constexpr int32_t kCached = 5;
constexpr int32_t kHeads = 2;
constexpr int32_t kDepth = 4;

// A layer and its result.
ValueId Add(Network& network, Shape shape, std::shared_ptr<const LayerOp> op) {
  const ValueId id = AddValue(network, std::move(shape));
  AddLayer(network, id, std::move(op));
  return id;
}

ValueId Alias(Network& network, ValueId of, Shape shape) {
  const ValueId id = AddValue(network, std::move(shape));
  network.values.back().base = of;
  return id;
}

// [outer, inner, elems] to [inner, outer, elems].
ValueId Swap(Network& network, ValueId from, int32_t outer, int32_t inner, int32_t elems) {
  auto move = std::make_shared<Move>();
  move->pieces = {{.from = from,
                   .dims = {{elems, 1, 1},
                            {outer, int64_t{inner} * elems, elems},
                            {inner, elems, int64_t{outer} * elems}}}};
  return Add(network, {inner, outer, elems}, std::move(move));
}

// [2, 3, 4] by [2, 5, 4] to [2, 3, 5].
MatMul Scores(ValueId a, ValueId b) {
  MatMul op;
  op.a = a;
  op.b = b;
  op.rows = kTokens;
  op.depth = kDepth;
  op.cols = kCached;
  op.b_transposed = true;
  for (int32_t head = 0; head < kHeads; ++head)
    op.products.push_back(
        {head * kTokens * kDepth, head * kCached * kDepth, head * kTokens * kCached});
  op.SetDenseRows();
  return op;
}

ValueId AddScores(Network& network, ValueId a, ValueId b) {
  return Add(network, {kHeads, kTokens, kCached}, std::make_shared<MatMul>(Scores(a, b)));
}

void Fused(Network& network) { FuseTranspositions(network, *BuiltinHardware("acme_a1")); }

const MatMul& TheProduct(const Network& network) {
  for (const Layer& layer : network.layers) {
    if (const auto* op = layer.As<MatMul>()) return *op;
  }
  throw std::runtime_error("there is no product");
}

TEST(FuseTranspositions, OperandsAndResultOfAttention) {
  Network network;
  const ValueId q = AddInput(network, {kTokens, kHeads, kDepth});
  const ValueId k = AddInput(network, {kCached, kHeads, kDepth});
  const ValueId scores = AddScores(network, Swap(network, q, kTokens, kHeads, kDepth),
                                   Swap(network, k, kCached, kHeads, kDepth));
  const ValueId y = Swap(network, scores, kHeads, kTokens, kCached);
  MakeOutput(network, y);
  Fused(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].output, y);
  const MatMul& op = TheProduct(network);
  EXPECT_EQ(op.a, q);
  EXPECT_EQ(op.b, k);
  EXPECT_THAT(op.products, ElementsAre(Product{0, 0, 0}, Product{kDepth, kDepth, kCached}));
  EXPECT_EQ(op.a_row_stride, kHeads * kDepth);
  EXPECT_EQ(op.b_row_stride, kHeads * kDepth);
  EXPECT_EQ(op.y_row_stride, kHeads * kCached);
}

// A change of shape between the two is a name of storage.
TEST(FuseTranspositions, ThroughNamesOfStorage) {
  Network network;
  const ValueId q = AddInput(network, {kTokens, kHeads * kDepth});
  const ValueId k = AddInput(network, {kHeads, kCached, kDepth});
  const ValueId swapped =
      Swap(network, Alias(network, q, {kTokens, kHeads, kDepth}), kTokens, kHeads, kDepth);
  MakeOutput(network, AddScores(network, Alias(network, swapped, {1, kHeads, kTokens, kDepth}), k));
  Fused(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.RootOf(TheProduct(network).a).value, q);
  EXPECT_EQ(TheProduct(network).b_row_stride, kDepth);
}

// Heads that share a key: each is read as often as there are queries of it.
// A product of what a move makes with itself: without the move, the other operand would not be there.
TEST(FuseTranspositions, AMoveThatMakesBothOperandsStays) {
  Network network;
  const ValueId x = AddInput(network, {kTokens, kHeads, kDepth});
  const ValueId turned = Swap(network, x, kTokens, kHeads, kDepth);
  MatMul square = Scores(turned, turned);
  square.cols = kTokens;
  MakeOutput(network, Add(network, {kHeads, kTokens, kTokens}, std::make_shared<MatMul>(square)));
  Fused(network);
  EXPECT_EQ(network.layers.size(), 2u);
}

TEST(FuseTranspositions, RepeatedMatrices) {
  Network network;
  const ValueId q = AddInput(network, {kHeads, kTokens, kDepth});
  const ValueId k = AddInput(network, {1, kCached, kDepth});
  auto repeat = std::make_shared<Move>();
  repeat->pieces = {
      {.from = k, .dims = {{kCached * kDepth, 1, 1}, {kHeads, 0, int64_t{kCached} * kDepth}}}};
  MakeOutput(network, AddScores(network, q, Add(network, {kHeads, kCached, kDepth}, repeat)));
  Fused(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(TheProduct(network).products[1].b, 0);
  EXPECT_EQ(TheProduct(network).b_row_stride, kDepth);
}

// One after the other, on either side.
TEST(FuseTranspositions, ChainsOfMoves) {
  Network network;
  const ValueId q = AddInput(network, {kHeads, kTokens, kDepth});
  const ValueId k = AddInput(network, {kHeads, kCached, kDepth});
  const ValueId there = Swap(network, q, kHeads, kTokens, kDepth);
  const ValueId back = Swap(network, there, kTokens, kHeads, kDepth);
  const ValueId scores = AddScores(network, back, k);
  const ValueId y =
      Swap(network, Swap(network, scores, kHeads, kTokens, kCached), kTokens, kHeads, kCached);
  MakeOutput(network, y);
  Fused(network);
  ASSERT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].output, y);
  EXPECT_EQ(TheProduct(network).Describe(), Scores(q, k).Describe());
}

// -- What stays --------------------------------------------------------------------------------------

struct Attention {
  Network network;
  ValueId q = AddInput(network, {kTokens, kHeads, kDepth});
  ValueId k = AddInput(network, {kHeads, kCached, kDepth});
  ValueId swapped = Swap(network, q, kTokens, kHeads, kDepth);
  ValueId scores = AddScores(network, swapped, k);

  size_t LayersAfter() {
    Fused(network);
    return network.layers.size();
  }
};

TEST(FuseTranspositions, AResultThatOthersReadStays) {
  Attention attention;
  MakeOutput(attention.network, attention.scores);
  MakeOutput(attention.network,
             Add(attention.network, {kHeads, kTokens, kDepth},
                 std::make_shared<StandInOp>(std::vector<ValueId>{attention.swapped})));
  EXPECT_EQ(attention.LayersAfter(), 3u);
}

TEST(FuseTranspositions, AnOutputStays) {
  Attention attention;
  MakeOutput(attention.network, attention.scores);
  MakeOutput(attention.network,
             Alias(attention.network, attention.swapped, {kHeads * kTokens, kDepth}));
  EXPECT_EQ(attention.LayersAfter(), 2u);
}

TEST(FuseTranspositions, AProductThatOthersReadIsStillWritten) {
  Attention attention;
  MakeOutput(attention.network,
             Swap(attention.network, attention.scores, kHeads, kTokens, kCached));
  MakeOutput(attention.network,
             Add(attention.network, {kHeads, kTokens, kCached},
                 std::make_shared<StandInOp>(std::vector<ValueId>{attention.scores})));
  EXPECT_EQ(attention.LayersAfter(), 3u) << "the operand's alone is gone";
}

// Scores of a q that a piece makes of `shape`.
size_t LayersAfterMoving(Shape shape, MovePiece piece) {
  Network network;
  piece.from = AddInput(network, std::move(shape));
  const ValueId k = AddInput(network, {kHeads, kCached, kDepth});
  auto move = std::make_shared<Move>();
  move->pieces = {std::move(piece)};
  const ValueId q = Add(network, {kHeads, kTokens, kDepth}, std::move(move));
  MakeOutput(network, AddScores(network, q, k));
  Fused(network);
  return network.layers.size();
}

TEST(FuseTranspositions, RowsThatTheEnginesCannotWalkStay) {
  const Shape all_rows = {kHeads * kTokens, kDepth};
  EXPECT_EQ(LayersAfterMoving(all_rows, {.dims = {{kHeads * kTokens * kDepth, 1, 1}}}), 1u);
  EXPECT_EQ(LayersAfterMoving({kHeads, kDepth, kTokens},
                              {.dims = {{kDepth, kTokens, 1},
                                        {kTokens, 1, kDepth},
                                        {kHeads, kTokens * kDepth, kTokens * kDepth}}}),
            2u)
      << "elements of a row that are not side by side";
  EXPECT_EQ(
      LayersAfterMoving(
          all_rows, {.dims = {{kDepth, 1, 1}, {2, 3 * kDepth, kDepth}, {3, kDepth, 2 * kDepth}}}),
      2u)
      << "rows 0, 3 and 1 are not equally far apart";
  EXPECT_EQ(
      LayersAfterMoving(all_rows, {.from_base_elems = (kHeads * kTokens - 1) * kDepth,
                                   .dims = {{kDepth, 1, 1}, {kHeads * kTokens, -kDepth, kDepth}}}),
      2u)
      << "rows in the opposite order";
}

}  // namespace
}  // namespace acme::compiler
