// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/rounded_moves.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <memory>

#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

// An image of 3 x 2 pixels of one channel in the middle of one of 5 x 4.
MovePiece Inside(ValueId x) {
  return {.from = x, .to_base_elems = 5, .dims = {{2, 1, 1}, {3, 2, 4}}};
}
MovePiece Border() { return {.dims = {{4, 0, 1}, {1, 0, 4}}}; }

struct MoveCase {
  const char* name;
  bool is_all;
  std::function<void(Move&, ValueId other)> change;
};

class SourceOfMoves : public testing::TestWithParam<MoveCase> {};

TEST_P(SourceOfMoves, HasAllElementsAndZeros) {
  Network network;
  const ValueId x = AddInput(network, {1, 3, 2, 1});
  const ValueId other = AddInput(network, {1, 3, 2, 1});
  const ValueId y = AddValue(network, {1, 5, 4, 1});
  for (Value& value : network.values) value.dtype = Dtype::kF32;
  auto move = std::make_shared<Move>();
  move->pieces = {Inside(x), Border()};
  GetParam().change(*move, other);
  AddLayer(network, y, move);
  EXPECT_EQ(SourceOfMove(y, network), GetParam().is_all ? x : kNoValue);
  EXPECT_EQ(SourceOfMove(x, network), kNoValue);
}

INSTANTIATE_TEST_SUITE_P(
    All, SourceOfMoves,
    testing::Values(
        MoveCase{"Padded", true, [](Move&, ValueId) {}},
        MoveCase{"Turned", true,
                 [](Move& m, ValueId) {
                   m.pieces[0].dims = {{3, 2, 1}, {2, 1, 4}};
                 }},
        MoveCase{"SomeTwice", true,
                 [](Move& m, ValueId) {
                   m.pieces[1] = m.pieces[0];
                   m.pieces[1].dims[0].extent = 1;
                 }},
        MoveCase{"SomeAlone", false, [](Move& m, ValueId) { m.pieces[0].dims[1].extent = 2; }},
        MoveCase{"NotFromTheFirst", false,
                 [](Move& m, ValueId) { m.pieces[0].from_base_elems = 1; }},
        MoveCase{"WithGaps", false,
                 [](Move& m, ValueId) { m.pieces[0].dims[0].from_stride_elems = 2; }},
        MoveCase{"FilledWithOne", false,
                 [](Move& m, ValueId) { m.pieces[1].fill = std::bit_cast<uint32_t>(1.0f); }},
        MoveCase{"OfTwoValues", false, [](Move& m, ValueId other) { m.pieces[1].from = other; }}),
    [](const auto& test) { return test.param.name; });

TEST(MoveRounded, FillsWithWhatStandsForZero) {
  Network network;
  const ValueId x = AddInput(network, {1, 3, 2, 1});
  const ValueId rounded = AddValue(network, {1, 3, 2, 1});
  const ValueId zero = AddValue(network, {1});
  const ValueId y = AddValue(network, {1, 5, 4, 1});
  auto move = std::make_shared<Move>();
  move->pieces = {Inside(x), Border()};
  AddLayer(network, y, move);
  const auto by_byte = MoveRounded(y, rounded, {.byte = -128}, network);
  const auto& bytes = dynamic_cast<const Move&>(*by_byte);
  EXPECT_EQ(bytes.pieces[0], Inside(rounded));
  EXPECT_EQ(bytes.pieces[1].fill, 0x80u);
  EXPECT_EQ(bytes.pieces[1].from, kNoValue);
  const auto by_value = MoveRounded(y, rounded, {.value = zero}, network);
  const auto& values = dynamic_cast<const Move&>(*by_value);
  EXPECT_EQ(values.pieces[1].from, zero);
  for (const MoveDimension& dim : values.pieces[1].dims) EXPECT_EQ(dim.from_stride_elems, 0);
}

// Of two rows and two columns to three and four.
TEST(SourceOfMove, AnEnlargedImageHasAllPixels) {
  Network network;
  const ValueId x = AddInput(network, {1, 2, 2, 1});
  const ValueId y = AddValue(network, {1, 3, 4, 1});
  for (Value& value : network.values) value.dtype = Dtype::kF32;
  auto resize = std::make_shared<Resize>();
  resize->x = x;
  resize->dtype = Dtype::kF32;
  resize->in_h = resize->in_w = 2;
  resize->rows = {{0, 0}, {1, 1}, {0, 0}};
  resize->cols = {{0, 0}, {0, 0}, {1, 1}, {1, 1}};
  AddLayer(network, y, resize);
  EXPECT_EQ(SourceOfMove(y, network), x);
  const auto rounded = MoveRounded(y, 7, {}, network);
  EXPECT_EQ(dynamic_cast<const Resize&>(*rounded).dtype, Dtype::kI8);
  EXPECT_EQ(dynamic_cast<const Resize&>(*rounded).x, 7);
  auto some = std::make_shared<Resize>(*resize);
  some->cols = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
  network.layers[0].op = some;
  EXPECT_EQ(SourceOfMove(y, network), kNoValue);
  auto blended = std::make_shared<Resize>(*resize);
  blended->op = ResizeOp::kBilinear;
  network.layers[0].op = blended;
  EXPECT_EQ(SourceOfMove(y, network), kNoValue);
}

}  // namespace
}  // namespace acme::compiler
