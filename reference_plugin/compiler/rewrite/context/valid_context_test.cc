// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/valid_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <utility>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/lower/products/matmul.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

constexpr int32_t kContext = 256;
constexpr int32_t kHeads = 2;
constexpr int32_t kTokens = 4;
constexpr int32_t kDepth = 16;

// softmax(q by keys + mask) by values, for two heads; the mask is an input.
class Attention : public testing::Test {
 protected:
  Attention() {
    const ValueId q = Floats(AddInput(network_, {kHeads, kTokens, kDepth}));
    const ValueId keys = Floats(AddInput(network_, {kHeads, kContext, kDepth}));
    const ValueId values = Floats(AddInput(network_, {kHeads, kDepth, kContext}));
    mask_ = Floats(AddInput(network_, {kTokens, kContext}));
    scores_ = Add(Products(q, keys, kTokens, kDepth, kContext), {kHeads, kTokens, kContext});
    auto sum = std::make_shared<Binary>();
    sum->extent = {kContext * kTokens, kHeads, 1, 1};
    sum->a = {.value = scores_, .stride_elems = {1, kContext * kTokens, 0, 0}};
    sum->b = {.value = mask_, .stride_elems = {1, 0, 0, 0}};
    sum->clamp = OpenRange(Dtype::kF32);
    masked_ = Add(std::move(sum), {kHeads, kTokens, kContext});
    auto softmax = std::make_shared<Softmax>();
    softmax->x = masked_;
    softmax->rows = kHeads * kTokens;
    softmax->depth = kContext;
    softmax->in = softmax->out = Dtype::kF32;
    softmax->a.mult = std::bit_cast<uint32_t>(1.0f);
    shares_ = Add(std::move(softmax), {kHeads, kTokens, kContext});
    mixed_ = Add(Products(shares_, values, kTokens, kContext, kDepth), {kHeads, kTokens, kDepth});
    MakeOutput(network_, mixed_);
  }

  ValueId Floats(ValueId id) {
    network_.values[static_cast<size_t>(id)].dtype = Dtype::kF32;
    return id;
  }

  ValueId Add(std::shared_ptr<const LayerOp> op, Shape shape) {
    const ValueId id = Floats(AddValue(network_, std::move(shape)));
    AddLayer(network_, id, std::move(op));
    return id;
  }

  static std::shared_ptr<MatMul> Products(ValueId a, ValueId b, int32_t rows, int32_t depth,
                                          int32_t cols) {
    auto matmul = std::make_shared<MatMul>();
    matmul->dtype = matmul->b_dtype = matmul->y_dtype = Dtype::kF32;
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

  // Puts another operation in the place of the one that adds the mask.
  template <class Change>
  void MaskedBy(Change change) {
    auto masked = std::make_shared<Binary>(*Of<Binary>(network_, masked_));
    change(*masked);
    for (Layer& layer : network_.layers) {
      if (layer.output == masked_) layer.op = masked;
    }
  }

  // The operation that makes an output of the cut network.
  template <class T>
  static const T* Of(const Network& network, ValueId value) {
    for (const Layer& layer : network.layers) {
      if (layer.output == value) return layer.As<T>();
    }
    return nullptr;
  }

  Network network_;
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
  MaskedBy([](Binary& masked) { masked.op = BinaryOp::kMul; });
  EXPECT_FALSE(CutContext(network_, 64));
}

TEST_F(Attention, WithALimitBehindItsMaskIsNotCut) {
  MaskedBy([](Binary& masked) { masked.clamp = FloatActivationRange(Activation::kRelu); });
  EXPECT_FALSE(CutContext(network_, 64));
}

}  // namespace
}  // namespace acme::compiler
