// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/mask_bounds.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/movement/gather.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/context/operand_walk.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr int32_t kContext = 8;
constexpr int32_t kLength = 3;
constexpr int32_t kTokens = 2;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Masks of [tokens, context], made value by value.
class Masks : public testing::Test {
 protected:
  Masks()
      : positions_(Input()), columns_(Constant<int32_t>({1, kContext}, {0, 1, 2, 3, 4, 5, 6, 7})) {}

  ValueId Input() {
    const ValueId id = AddInput(network_, {kTokens, 1});
    At(id).dtype = Dtype::kI32;
    return id;
  }

  template <class T>
  ValueId Constant(Shape shape, const std::vector<T>& elems) {
    const ValueId id = AddValue(network_, std::move(shape));
    std::vector<uint8_t> bytes(elems.size() * sizeof(T));
    std::memcpy(bytes.data(), elems.data(), bytes.size());
    At(id).dtype = std::is_same_v<T, float>     ? Dtype::kF32
                   : std::is_same_v<T, int16_t> ? Dtype::kI16
                                                : Dtype::kI32;
    At(id).owned = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    At(id).constant = *At(id).owned;
    return id;
  }

  // columns op (positions + offset)
  ValueId Compared(CompareOp op, ValueId positions) {
    auto compare = std::make_shared<Compare>();
    compare->op = op;
    compare->a = columns_;
    compare->b = positions;
    compare->walk = PlanWalk(std::vector<Shape>{{1, kContext}, {kTokens, 1}}, {kTokens, kContext});
    return Add(std::move(compare), Dtype::kBool, {kTokens, kContext});
  }

  ValueId Moved(ValueId positions, BinaryOp op, int32_t by) {
    auto sum = std::make_shared<Binary>();
    sum->op = op;
    sum->extent = {kTokens, 1, 1, 1};
    sum->a = {.value = positions, .stride_elems = {1, 0, 0, 0}};
    sum->b = {.value = Constant<int32_t>({1}, {by})};
    sum->clamp = TypeRange(Dtype::kI32);
    return Add(std::move(sum), Dtype::kI32, {kTokens, 1});
  }

  ValueId Either(ValueId a, ValueId b) {
    auto either = std::make_shared<Binary>();
    either->op = BinaryOp::kMax;
    either->extent = {kTokens * kContext, 1, 1, 1};
    either->a = {.value = a, .stride_elems = {1, 0, 0, 0}};
    either->b = {.value = b, .stride_elems = {1, 0, 0, 0}};
    either->clamp = {0, 1};
    return Add(std::move(either), Dtype::kBool, {kTokens, kContext});
  }

  template <class T = float>
  ValueId Selected(ValueId hidden, T yes, T no) {
    auto select = std::make_shared<Select>();
    select->mask = hidden;
    select->yes = Constant<T>({1}, {yes});
    select->no = Constant<T>({1}, {no});
    select->walk = PlanWalk(std::vector<Shape>{{kTokens, kContext}, {1}, {1}}, {kTokens, kContext});
    const Dtype dtype = At(select->no).dtype;
    return Add(std::move(select), dtype, {kTokens, kContext});
  }

  ValueId Add(std::shared_ptr<const LayerOp> op, Dtype dtype, Shape shape) {
    const ValueId id = AddValue(network_, std::move(shape));
    At(id).dtype = dtype;
    AddLayer(network_, id, std::move(op));
    return id;
  }

  Value& At(ValueId id) { return network_.values[static_cast<size_t>(id)]; }

  std::optional<MaskBounds::Parts> Of(ValueId mask) {
    const std::vector<int32_t> writers = ValueLinks(network_).writer;
    MaskBounds bounds(network_, writers, kContext, kLength);
    const auto parts = bounds.Of(mask);
    bounded_ = bounds.positions();
    return parts;
  }

  Network network_;
  ValueId positions_;
  ValueId columns_;
  std::set<ValueId> bounded_;
};

TEST_F(Masks, OfWhatIsLater) {
  const auto parts = Of(Selected(Compared(CompareOp::kGreater, positions_), -1000.0f, 0.0f));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-1000, -1000}));
  EXPECT_EQ(parts->own, (Bounds{0, 0}));
  EXPECT_EQ(bounded_, std::set<ValueId>{positions_});
}

TEST_F(Masks, OfAWindow) {
  const ValueId later = Compared(CompareOp::kGreater, positions_);
  const ValueId earlier = Compared(CompareOp::kLessEqual, Moved(positions_, BinaryOp::kSub, 2));
  const auto parts = Of(Selected(Either(later, earlier), -kInfinity, 0.0f));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-kInfinity, -kInfinity}));
  EXPECT_EQ(parts->own, (Bounds{0, 0}));
}

// Those from its own on are hidden: a token does not see itself.
TEST_F(Masks, ThatHidesTheOwnPosition) {
  const auto parts = Of(Selected(Compared(CompareOp::kGreaterEqual, positions_), -1000.0f, 0.0f));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->own, (Bounds{-1000, -1000}));
}

// Two positions behind its own are seen: at 2 that is 4, which is in the tail.
TEST_F(Masks, ThatShowsWhatComes) {
  const auto parts = Of(Selected(
      Compared(CompareOp::kGreater, Moved(positions_, BinaryOp::kAdd, 2)), -1000.0f, 0.0f));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-1000, 0}));
}

TEST_F(Masks, ByATableOfPositions) {
  std::vector<float> table;
  for (int32_t row = 0; row < kContext; ++row) {
    for (int32_t column = 0; column < kContext; ++column)
      table.push_back(column > row ? -1000.0f : column == row ? 1.0f : 0.0f);
  }
  auto gather = std::make_shared<Gather>();
  gather->table = Constant<float>({kContext, kContext}, table);
  gather->indices = positions_;
  gather->along = kContext;
  gather->run = kContext;
  gather->count = kTokens;
  const auto parts = Of(Add(std::move(gather), Dtype::kF32, {kTokens, kContext}));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-1000, -1000}));
  EXPECT_EQ(parts->own, (Bounds{1, 1}));
}

// The second input is bounded as the first one is, but not the row's position.
TEST_F(Masks, OfTwoInputs) {
  const ValueId other = Input();
  const ValueId later = Compared(CompareOp::kGreater, positions_);
  const ValueId unlike = Compared(CompareOp::kNotEqual, other);
  const auto parts = Of(Selected(Either(later, unlike), -1000.0f, 0.0f));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-1000, -1000}));
  EXPECT_EQ(parts->own, (Bounds{-1000, 0}));
  EXPECT_EQ(bounded_, (std::set<ValueId>{positions_, other}));
}

// A column for each token: positions are no rows.
TEST_F(Masks, OfPositionsInColumnsAreUnknown) {
  auto compare = std::make_shared<Compare>();
  compare->op = CompareOp::kGreater;
  compare->a = AddInput(network_, {kContext});
  At(compare->a).dtype = Dtype::kI32;
  compare->b = positions_;
  compare->walk = PlanWalk(std::vector<Shape>{{kContext}, {kTokens, 1}}, {kTokens, kContext});
  EXPECT_FALSE(Of(Add(std::move(compare), Dtype::kBool, {kTokens, kContext})));
}

TEST_F(Masks, OfInt16AreBoundedAsTheyAreStored) {
  const auto parts = Of(Selected<int16_t>(Compared(CompareOp::kGreater, positions_), -29000, 12));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-29000, -29000}));
  EXPECT_EQ(parts->own, (Bounds{12, 12}));
}

// 1000 / 0.3 is 3333.3, to either side.
TEST_F(Masks, ThatAreQuantizedAreBoundedToWhatRoundingMayGive) {
  auto map = std::make_shared<Map>();
  map->x = Selected(Compared(CompareOp::kGreater, positions_), -1000.0f, 0.0f);
  map->in = Dtype::kF32;
  map->out = Dtype::kI16;
  map->function = ConvertOp::kQuantize;
  map->dst.mult = std::bit_cast<uint32_t>(0.3f);
  map->dst.zp = 5;
  map->clamp = {.lo = -32768, .hi = 32767};
  const auto parts = Of(Add(std::move(map), Dtype::kI16, {kTokens, kContext}));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->tail, (Bounds{-3329, -3328}));
  EXPECT_EQ(parts->own, (Bounds{5, 5}));
}

// What they are compared with has another scale.
TEST_F(Masks, OfComparedInt16AreUnknown) {
  auto compare = std::make_shared<Compare>();
  compare->op = CompareOp::kGreater;
  compare->a = Selected<int16_t>(Compared(CompareOp::kGreater, positions_), -29000, 12);
  compare->b = Constant<int16_t>({1}, {0});
  compare->walk = PlanWalk(std::vector<Shape>{{kTokens, kContext}, {1}}, {kTokens, kContext});
  EXPECT_FALSE(Of(Add(std::move(compare), Dtype::kBool, {kTokens, kContext})));
}

TEST_F(Masks, ByOtherFunctionsAreUnknown) {
  auto map = std::make_shared<Map>();
  map->x = Selected(Compared(CompareOp::kGreater, positions_), -1000.0f, 0.0f);
  map->in = map->out = Dtype::kF32;
  map->function = UnaryOp::kTanh;
  EXPECT_FALSE(Of(Add(std::move(map), Dtype::kF32, {kTokens, kContext})));
}

}  // namespace
}  // namespace acme::compiler
