// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/product_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace acme::compiler {
namespace {

using testing::ElementsAre;
using testing::Optional;
using Product = MatMul::Product;

// -- Walks over moves ------------------------------------------------------------------------------

// Of [4, 3, 2]: the result is [3, 4, 2].
MovePiece Swapped() { return {.dims = {{2, 1, 1}, {4, 6, 2}, {3, 2, 8}}}; }

TEST(MoveWalk, ToTheOperand) {
  const auto walk = MoveWalk::FromResult(Swapped(), 24);
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->Far(8 + 2 + 1), 2 + 6 + 1) << "[1, 1, 1] of either";
  EXPECT_THAT(walk->FarLoops(0, 2, 4), Optional(ElementsAre(Loop{4, 6})));
  EXPECT_THAT(walk->FarLoops(0, 2, 12), Optional(ElementsAre(Loop{4, 6}, Loop{3, 2})));
  EXPECT_THAT(walk->FarLoops(0, 8, 3), Optional(ElementsAre(Loop{3, 2})));
  EXPECT_THAT(walk->FarLoops(0, 4, 2), Optional(ElementsAre(Loop{2, 12}))) << "every other";
  EXPECT_THAT(walk->FarLoops(0, 4, 6), Optional(ElementsAre(Loop{2, 12}, Loop{3, 2})));
  EXPECT_THAT(walk->FarLoops(5, 1, 1), Optional(ElementsAre()));
}

TEST(MoveWalk, ToTheResult) {
  const auto walk = MoveWalk::FromOperand(Swapped(), 24);
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->Far(6 + 2 + 1), 2 + 8 + 1);
  EXPECT_THAT(walk->FarLoops(0, 2, 3), Optional(ElementsAre(Loop{3, 8})));
}

TEST(MoveWalk, NoNestedLoops) {
  const auto walk = MoveWalk::FromResult(Swapped(), 24);
  ASSERT_TRUE(walk);
  EXPECT_FALSE(walk->FarLoops(0, 2, 6)) << "one and a half rounds";
  EXPECT_FALSE(walk->FarLoops(4, 2, 4)) << "around the end";
  EXPECT_FALSE(walk->FarLoops(0, 3, 2)) << "between two elements";
}

TEST(MoveWalk, LoopsTogether) {
  const auto walk = MoveWalk::FromResult(Swapped(), 24);
  ASSERT_TRUE(walk);
  EXPECT_THAT(walk->FarNest(1, std::vector<Loop>{{2, 4}, {3, 8}}),
              Optional(ElementsAre(ElementsAre(Loop{2, 12}), ElementsAre(Loop{3, 2}))));
  EXPECT_THAT(walk->FarNest(0, std::vector<Loop>{{2, 2}, {2, 4}}),
              Optional(ElementsAre(ElementsAre(Loop{2, 6}), ElementsAre(Loop{2, 12}))));
  EXPECT_FALSE(walk->FarNest(0, std::vector<Loop>{{3, 2}, {2, 4}})) << "out of the four, together";
}

// A part of the operand; its elements in the opposite order; each of them twice.
TEST(MoveWalk, FarSidesThatAreNotDense) {
  const auto part = MoveWalk::FromResult({.from_base_elems = 5, .dims = {{3, 10, 1}}}, 3);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->Far(2), 25);
  const auto reversed = MoveWalk::FromResult({.from_base_elems = 2, .dims = {{3, -1, 1}}}, 3);
  ASSERT_TRUE(reversed);
  EXPECT_THAT(reversed->FarLoops(0, 1, 3), Optional(ElementsAre(Loop{3, -1})));
  const auto twice = MoveWalk::FromResult({.dims = {{3, 1, 1}, {2, 0, 3}}}, 6);
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->Far(4), 1);
}

TEST(MoveWalk, TheNearSideMustBeDense) {
  EXPECT_FALSE(MoveWalk::FromResult({.dims = {{3, 1, 2}}}, 3));
  EXPECT_FALSE(MoveWalk::FromResult({.to_base_elems = 1, .dims = {{3, 1, 1}}}, 3));
  EXPECT_FALSE(MoveWalk::FromResult({.dims = {{3, 1, 1}}}, 4));
  EXPECT_FALSE(MoveWalk::FromOperand({.dims = {{3, 1, 1}, {2, 0, 3}}}, 3)) << "written twice";
}

// -- Loops -----------------------------------------------------------------------------------------

TEST(JoinLoops, InCommonSteps) {
  EXPECT_THAT(JoinLoops({{6, 10}}, {{2, 1}, {3, 50}}),
              Optional(ElementsAre(ProductLoop{2, 10, 1}, ProductLoop{3, 20, 50})));
  EXPECT_THAT(
      JoinLoops({{2, 1}, {6, 7}}, {{4, 3}, {3, 100}}),
      Optional(ElementsAre(ProductLoop{2, 1, 3}, ProductLoop{2, 7, 6}, ProductLoop{3, 14, 100})));
  EXPECT_THAT(JoinLoops({}, {}), Optional(ElementsAre()));
  EXPECT_FALSE(JoinLoops({{6, 1}}, {{4, 1}, {3, 4}}));
  EXPECT_FALSE(JoinLoops({{6, 1}}, {{3, 1}}));
}

// Two products of [4, 5] by [5, 3].
MatMul Dense(bool b_transposed = false) {
  MatMul m;
  m.a = 0;
  m.b = 1;
  m.rows = 4;
  m.depth = 5;
  m.cols = 3;
  m.b_transposed = b_transposed;
  m.products = {{0, 0, 0}, {20, 15, 12}};
  m.SetDenseRows();
  return m;
}

TEST(ProductLoops, OfADenseProduct) {
  const auto loops = LoopsOf(Dense(), {});
  ASSERT_TRUE(loops);
  EXPECT_THAT(loops->rows, ElementsAre(ProductLoop{4, 5, 3}));
  EXPECT_THAT(loops->cols, ElementsAre(ProductLoop{3, 1, 1}));
  EXPECT_EQ(loops->a_depth_stride, 1);
  EXPECT_EQ(loops->b_depth_stride, 3);
  // Exchanged, b's elements along the sum would have to be side by side.
  const std::vector<MatMul> ways = MatMulsOf(*loops, Dense());
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0].Describe(), Dense().Describe());
  EXPECT_EQ(ways[0].products, Dense().products);
}

// The result's rows go where its columns were: only the exchanged product writes them side by side.
TEST(ProductLoops, ATransposedResultExchangesTheOperands) {
  const auto walk = MoveWalk::FromOperand({.dims = {{4, 3, 1}, {3, 1, 4}, {2, 12, 12}}}, 24);
  ASSERT_TRUE(walk);
  MatMul m = Dense(/*b_transposed=*/true);
  m.a_zp = 7;
  m.b_zp = 8;
  const auto loops = LoopsOf(m, {.y = *walk});
  ASSERT_TRUE(loops);
  const std::vector<MatMul> ways = MatMulsOf(*loops, m);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0].a, 1);
  EXPECT_EQ(ways[0].a_zp, 8);
  EXPECT_EQ(ways[0].rows, 3);
  EXPECT_EQ(ways[0].cols, 4);
  EXPECT_TRUE(ways[0].b_transposed);
  EXPECT_EQ(ways[0].a_row_stride, 5);
  EXPECT_EQ(ways[0].b_row_stride, 5);
  EXPECT_EQ(ways[0].y_row_stride, 4);
  EXPECT_THAT(ways[0].products, ElementsAre(Product{0, 0, 0}, Product{15, 20, 12}));
}

// int16 by int8: what is streamed must be int16.
TEST(ProductLoops, OperandsOfTwoTypesDoNotChangePlaces) {
  const auto walk = MoveWalk::FromOperand({.dims = {{4, 3, 1}, {3, 1, 4}, {2, 12, 12}}}, 24);
  MatMul m = Dense(/*b_transposed=*/true);
  m.dtype = m.y_dtype = Dtype::kI16;
  EXPECT_THAT(MatMulsOf(*LoopsOf(m, {.y = *walk}), m), testing::IsEmpty());
}

// Rows of a in two loops: either is streamed, and the other one becomes products.
TEST(ProductLoops, OneLoopIsStreamedTheOthersAreProducts) {
  ProductLoops loops;
  loops.begins = {{100, 200, 300}};
  loops.rows = {{2, 5, 3}, {7, 50, 60}};
  loops.cols = {{3, 1, 1}};
  loops.depth = 5;
  loops.b_depth_stride = 3;
  const std::vector<MatMul> ways = MatMulsOf(loops, Dense());
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[0].rows, 2);
  EXPECT_EQ(ways[0].a_row_stride, 5);
  EXPECT_EQ(ways[0].products.size(), 7u);
  EXPECT_EQ(ways[0].products[6], (Product{100 + 6 * 50, 200, 300 + 6 * 60}));
  EXPECT_EQ(ways[1].rows, 7);
  EXPECT_EQ(ways[1].a_row_stride, 50);
  EXPECT_EQ(ways[1].y_row_stride, 60);
  EXPECT_THAT(ways[1].products, ElementsAre(Product{100, 200, 300}, Product{105, 200, 303}));
}

TEST(ProductLoops, WhatTheEnginesCannotWalkIsNoWay) {
  ProductLoops loops;
  loops.begins = {{}};
  loops.rows = {{4, 5, 3}};
  loops.cols = {{3, 1, 1}};
  loops.depth = 5;
  loops.b_depth_stride = 3;
  const auto ways = [](const ProductLoops& of) { return MatMulsOf(of, Dense()).size(); };
  EXPECT_EQ(ways(loops), 1u);
  ProductLoops apart = loops;
  apart.a_depth_stride = 2;
  EXPECT_EQ(ways(apart), 0u) << "the sum's elements are not side by side";
  apart = loops;
  apart.cols[0].operand_stride = 2;
  EXPECT_EQ(ways(apart), 0u) << "neither side of the weights is";
  apart = loops;
  apart.rows[0].operand_stride = -5;
  EXPECT_EQ(ways(apart), 0u) << "backwards";
  apart = loops;
  apart.rows[0].operand_stride = 1 << 21;
  EXPECT_EQ(ways(apart), 0u) << "further than a field holds";
  apart = loops;
  apart.cols.push_back({5000, 100, 100});
  EXPECT_EQ(ways(apart), 0u) << "too many products";
}

}  // namespace
}  // namespace acme::compiler
