// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/valid_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/rewrite/context/hidden_tail.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr int32_t kContext = 256;
constexpr int32_t kHeads = 2;
constexpr int32_t kTokens = 4;
constexpr int32_t kDepth = 16;

class MadeNetwork : public testing::Test {
 protected:
  ValueId Typed(ValueId id, Dtype dtype) {
    network_.values[static_cast<size_t>(id)].dtype = dtype;
    return id;
  }

  ValueId Add(std::shared_ptr<const LayerOp> op, Dtype dtype, Shape shape) {
    const ValueId id = Typed(AddValue(network_, std::move(shape)), dtype);
    AddLayer(network_, id, std::move(op));
    return id;
  }

  // By a transposed matrix, for each head.
  static std::shared_ptr<MatMul> Products(Dtype dtype, ValueId a, ValueId b, int32_t rows,
                                          int32_t depth, int32_t cols) {
    auto matmul = std::make_shared<MatMul>();
    matmul->dtype = matmul->b_dtype = matmul->y_dtype = dtype;
    matmul->a = a;
    matmul->b = b;
    matmul->rows = rows;
    matmul->depth = depth;
    matmul->cols = cols;
    matmul->b_transposed = true;
    matmul->SetDenseRows();
    for (int64_t i = 0; i < kHeads; ++i)
      matmul->products.push_back({i * rows * depth, i * cols * depth, i * rows * cols});
    return matmul;
  }

  // Puts another operation in the place of the one that makes a value.
  template <class T, class Edit>
  void Change(ValueId value, Edit edit) {
    auto changed = std::make_shared<T>(*Of<T>(network_, value));
    edit(*changed);
    for (Layer& layer : network_.layers) {
      if (layer.output == value) layer.op = changed;
    }
  }

  // The operation that makes a value.
  template <class T>
  static const T* Of(const Network& network, ValueId value) {
    for (const Layer& layer : network.layers) {
      if (layer.output == value) return layer.As<T>();
    }
    return nullptr;
  }

  Network network_;
};

// softmax(q by keys + mask) by values, for two heads; the mask is an input.
class Attention : public MadeNetwork {
 protected:
  Attention() {
    const ValueId q = Floats(AddInput(network_, {kHeads, kTokens, kDepth}));
    const ValueId keys = Floats(AddInput(network_, {kHeads, kContext, kDepth}));
    const ValueId values = Floats(AddInput(network_, {kHeads, kDepth, kContext}));
    mask_ = Floats(AddInput(network_, {kTokens, kContext}));
    scores_ = Add(Products(Dtype::kF32, q, keys, kTokens, kDepth, kContext), Dtype::kF32,
                  {kHeads, kTokens, kContext});
    auto sum = std::make_shared<Binary>();
    sum->extent = {kContext * kTokens, kHeads, 1, 1};
    sum->a = {.value = scores_, .stride_elems = {1, kContext * kTokens, 0, 0}};
    sum->b = {.value = mask_, .stride_elems = {1, 0, 0, 0}};
    sum->clamp = OpenRange(Dtype::kF32);
    masked_ = Add(std::move(sum), Dtype::kF32, {kHeads, kTokens, kContext});
    auto softmax = std::make_shared<Softmax>();
    softmax->x = masked_;
    softmax->rows = kHeads * kTokens;
    softmax->depth = kContext;
    softmax->in = softmax->out = Dtype::kF32;
    softmax->a.mult = std::bit_cast<uint32_t>(1.0f);
    shares_ = Add(std::move(softmax), Dtype::kF32, {kHeads, kTokens, kContext});
    mixed_ = Add(Products(Dtype::kF32, shares_, values, kTokens, kContext, kDepth), Dtype::kF32,
                 {kHeads, kTokens, kDepth});
    MakeOutput(network_, mixed_);
  }

  ValueId Floats(ValueId id) { return Typed(id, Dtype::kF32); }

  ValueId mask_ = kNoValue;
  ValueId scores_ = kNoValue;
  ValueId masked_ = kNoValue;
  ValueId shares_ = kNoValue;
  ValueId mixed_ = kNoValue;
};

TEST_F(Attention, IsCutWhereItsMaskHides) {
  const auto cut = CutContext(network_, 64);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->network.layers.size(), 4u);
  const auto* mixed = Of<MatMul>(cut->network, mixed_);
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->depth, 64);
  EXPECT_EQ(mixed->a_row_stride, 64);
  EXPECT_EQ(mixed->b_row_stride, kContext) << "values stand in the whole cache";
  EXPECT_EQ(mixed->products[1],
            (MatMul::Product{64 * kTokens, kContext * kDepth, kTokens * kDepth}));
  const auto* softmax = Of<Softmax>(cut->network, mixed->a);
  ASSERT_NE(softmax, nullptr);
  EXPECT_EQ(softmax->depth, 64);
  const auto* masked = Of<Binary>(cut->network, softmax->x);
  ASSERT_NE(masked, nullptr);
  EXPECT_EQ(masked->extent, (std::array<int32_t, 4>{64, kTokens, kHeads, 1}));
  EXPECT_EQ(masked->a.stride_elems, (std::array<int32_t, 4>{1, 64, 64 * kTokens, 0}));
  EXPECT_EQ(masked->b.stride_elems, (std::array<int32_t, 4>{1, kContext, 0, 0}));
  EXPECT_EQ(masked->b.value, mask_);
  const auto* scores = Of<MatMul>(cut->network, masked->a.value);
  ASSERT_NE(scores, nullptr);
  EXPECT_EQ(scores->cols, 64);
  EXPECT_EQ(scores->y_row_stride, 64);
  EXPECT_EQ(scores->products[1],
            (MatMul::Product{kTokens * kDepth, kContext * kDepth, 64 * kTokens}));
  EXPECT_THAT(cut->guards, testing::ElementsAre(ModuleGuard{.kind = ModuleGuard::Kind::kHidden,
                                                            .binding = 3,
                                                            .limit = 64,
                                                            .row_elems = kContext,
                                                            .margin = kHidingMargin}));
}

TEST_F(Attention, IsCutToPowersOfTwo) {
  EXPECT_THAT(ContextLengths(network_), testing::ElementsAre(64, 128));
}

TEST_F(Attention, ThatSomethingElseReadsIsNotCut) {
  MakeOutput(network_, shares_);
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(Attention, WithAProductForItsMaskIsNotCut) {
  Change<Binary>(masked_, [](Binary& masked) { masked.op = BinaryOp::kMul; });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(Attention, WithALimitBehindItsMaskIsNotCut) {
  Change<Binary>(masked_,
                 [](Binary& masked) { masked.clamp = FloatActivationRange(Activation::kRelu); });
  EXPECT_FALSE(CutContext(network_, 64));
}

// What is left out would be a number, not 0.
TEST_F(Attention, WithSomethingAddedToItsSharesIsNotCut) {
  auto sum = std::make_shared<Binary>();
  sum->extent = {kHeads * kTokens * kContext, 1, 1, 1};
  sum->a = {.value = shares_, .stride_elems = {1, 0, 0, 0}};
  sum->b = {.value = Floats(AddConstant(network_, {1}))};
  sum->clamp = OpenRange(Dtype::kF32);
  const ValueId more = Floats(AddValue(network_, {kHeads, kTokens, kContext}));
  network_.layers.insert(network_.layers.end() - 1, Layer{.output = more, .op = std::move(sum)});
  Change<MatMul>(mixed_, [&](MatMul& mixed) { mixed.a = more; });
  EXPECT_FALSE(CutContext(network_, 64));
}

// The same in integers, as they are quantised for TFLite: products of int8, between them int16. The mask
// is computed from positions.
class IntegerAttention : public MadeNetwork {
 protected:
  static constexpr int32_t kLeast = 2;  // of the table of exponentials
  static constexpr int32_t kZero = -128;

  IntegerAttention() {
    const ValueId q = Typed(AddInput(network_, {kHeads, kTokens, kDepth}), Dtype::kI8);
    const ValueId keys = Typed(AddInput(network_, {kHeads, kContext, kDepth}), Dtype::kI8);
    const ValueId values = Typed(AddInput(network_, {kHeads, kDepth, kContext}), Dtype::kI8);
    const ValueId narrow_scores = Add(Products(Dtype::kI8, q, keys, kTokens, kDepth, kContext),
                                      Dtype::kI8, {kHeads, kTokens, kContext});
    auto wide = std::make_shared<Map>();
    wide->x = narrow_scores;
    wide->out = Dtype::kI16;
    wide->function = Map::Table{.bytes = std::vector<uint8_t>(512)};
    const ValueId scores = Add(std::move(wide), Dtype::kI16, {kHeads, kTokens, kContext});
    masked_ = AddSum(scores, AddMask());
    shares_ = AddSoftmax();
    auto narrow = std::make_shared<Map>();
    narrow->x = shares_;
    narrow->in = Dtype::kI16;
    narrow->function = ConvertOp::kRequantize;
    narrow->dst = {.view = View::kDst, .zp = kZero, .mult = 1u << 30, .shift = -6};
    narrow->clamp = {.lo = -128, .hi = 127};
    narrow_shares_ = Add(std::move(narrow), Dtype::kI8, {kHeads, kTokens, kContext});
    auto products = Products(Dtype::kI8, narrow_shares_, values, kTokens, kContext, kDepth);
    products->a_zp = kZero;
    mixed_ = Add(std::move(products), Dtype::kI8, {kHeads, kTokens, kDepth});
    MakeOutput(network_, mixed_);
  }

  ValueId Int16(int16_t number) {
    const ValueId id = AddConstant(network_, {1});
    Value& value = network_.values[static_cast<size_t>(id)];
    auto bytes = std::make_shared<std::vector<uint8_t>>(sizeof(number));
    std::memcpy(bytes->data(), &number, sizeof(number));
    value.dtype = Dtype::kI16;
    value.constant = *bytes;
    value.owned = std::move(bytes);
    return id;
  }

  // Of columns behind the position of their row -20000, of the others 0.
  ValueId AddMask() {
    const ValueId positions = Typed(AddInput(network_, {kTokens, 1}), Dtype::kI32);
    const ValueId columns = Typed(AddConstant(network_, {1, kContext}), Dtype::kI32);
    auto numbers = std::make_shared<std::vector<uint8_t>>(kContext * sizeof(int32_t));
    for (int32_t i = 0; i < kContext; ++i)
      std::memcpy(numbers->data() + static_cast<size_t>(i) * sizeof(i), &i, sizeof(i));
    Value& value = network_.values[static_cast<size_t>(columns)];
    value.constant = *numbers;
    value.owned = std::move(numbers);
    auto compare = std::make_shared<Compare>();
    compare->op = CompareOp::kGreater;
    compare->a = columns;
    compare->b = positions;
    compare->walk = PlanWalk(std::vector<Shape>{{1, kContext}, {kTokens, 1}}, {kTokens, kContext});
    const ValueId later = Add(std::move(compare), Dtype::kBool, {kTokens, kContext});
    auto select = std::make_shared<Select>();
    select->mask = later;
    select->yes = Int16(-20000);
    select->no = Int16(0);
    select->walk = PlanWalk(std::vector<Shape>{{kTokens, kContext}, {1}, {1}}, {kTokens, kContext});
    return mask_ = Add(std::move(select), Dtype::kI16, {kTokens, kContext});
  }

  // Scores are a tenth of a step of the mask.
  ValueId AddSum(ValueId scores, ValueId mask) {
    auto sum = std::make_shared<Binary>();
    sum->extent = {kContext * kTokens, kHeads, 1, 1};
    sum->a = {.value = scores,
              .stride_elems = {1, kContext * kTokens, 0, 0},
              .scale = QuantizeMultiplier(0.05)};
    sum->b = {.value = mask, .stride_elems = {1, 0, 0, 0}, .scale = QuantizeMultiplier(0.5)};
    sum->left_shift = 15;
    sum->out_scale = QuantizeMultiplier(2.0 / (1 << 15));
    sum->clamp = TypeRange(Dtype::kI16);
    return Add(std::move(sum), Dtype::kI16, {kHeads, kTokens, kContext});
  }

  // Ten steps of a difference are one of the exponent.
  ValueId AddSoftmax() {
    auto softmax = std::make_shared<Softmax>();
    softmax->x = masked_;
    softmax->rows = kHeads * kTokens;
    softmax->depth = kContext;
    softmax->in = softmax->out = Dtype::kI16;
    const FixedPoint scale = QuantizeMultiplier(0.01 / (10.0 / 65535));
    softmax->a.mult = std::bit_cast<uint32_t>(scale.mult);
    softmax->a.shift = scale.shift;
    std::vector<int16_t> exponentials(513, 1 << 14);
    exponentials.front() = kLeast;
    softmax->tables.resize(2 * 513 * sizeof(int16_t));
    std::memcpy(softmax->tables.data(), exponentials.data(), 513 * sizeof(int16_t));
    return Add(std::move(softmax), Dtype::kI16, {kHeads, kTokens, kContext});
  }

  ValueId mask_ = kNoValue;
  ValueId masked_ = kNoValue;
  ValueId shares_ = kNoValue;
  ValueId narrow_shares_ = kNoValue;
  ValueId mixed_ = kNoValue;
};

TEST_F(IntegerAttention, IsCutWhereHiddenSharesAreRoundedAway) {
  const auto cut = CutContext(network_, 64);
  ASSERT_TRUE(cut);
  const auto* mixed = Of<MatMul>(cut->network, mixed_);
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->depth, 64);
  const auto* narrow = Of<Map>(cut->network, mixed->a);
  ASSERT_NE(narrow, nullptr);
  const auto* softmax = Of<Softmax>(cut->network, narrow->x);
  ASSERT_NE(softmax, nullptr);
  EXPECT_EQ(softmax->depth, 64);
  EXPECT_EQ(softmax->b.mult, static_cast<uint32_t>((kContext - 64) * kLeast))
      << "what is hidden stays in the sum";
  EXPECT_THAT(cut->guards, testing::ElementsAre(ModuleGuard{
                               .kind = ModuleGuard::Kind::kBelow, .binding = 3, .limit = 64}));
}

TEST_F(IntegerAttention, IsNotCutWhereScoresReachFurtherThanTheMask) {
  Change<Binary>(masked_, [](Binary& sum) { sum.a.scale = QuantizeMultiplier(0.3); });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(IntegerAttention, IsNotCutWhereDifferencesDoNotReachTheTablesEnd) {
  Change<Softmax>(shares_, [](Softmax& softmax) {
    softmax.a.mult = std::bit_cast<uint32_t>(QuantizeMultiplier(0.001).mult);
    softmax.a.shift = QuantizeMultiplier(0.001).shift;
  });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(IntegerAttention, IsNotCutWhereALimitLiftsWhatIsHidden) {
  Change<Binary>(masked_, [](Binary& sum) { sum.clamp.lo = -1000; });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(IntegerAttention, IsNotCutWhereHiddenSharesAreProducts) {
  Change<MatMul>(mixed_, [&](MatMul& mixed) {
    mixed.a = shares_;
    mixed.dtype = Dtype::kI16;
    mixed.a_zp = 0;
  });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(IntegerAttention, IsNotCutWhereHiddenSharesAreSteps) {
  Change<Map>(narrow_shares_, [](Map& narrow) { narrow.dst.shift = -1; });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(IntegerAttention, IsNotCutWhereNothingIsNoZero) {
  Change<MatMul>(mixed_, [](MatMul& mixed) { mixed.a_zp = 0; });
  EXPECT_FALSE(CutContext(network_, 64));
}

}  // namespace
}  // namespace acme::compiler
