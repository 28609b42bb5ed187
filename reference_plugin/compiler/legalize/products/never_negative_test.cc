// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/never_negative.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <memory>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/products/depthwise/depthwise.h"
#include "reference_plugin/compiler/lower/reduction/pool.h"
#include "reference_plugin/compiler/tests/made_network.h"

namespace acme::compiler {
namespace {

// Networks of float32 whose last value is asked about.
class Chain {
 public:
  Network network;
  ValueId last = kNoValue;

  Chain& Input() { return Take(AddImage(network, Dtype::kF32)); }
  template <class Product>
  Chain& ProductOf(Activation activation) {
    auto product = std::make_shared<Product>();
    product->dtype = Dtype::kF32;
    product->x = last;
    product->requantize.clamp = FloatActivationRange(activation);
    return Make(product);
  }
  Chain& Sum(BinaryOp op, ValueId other, Activation activation = Activation::kNone) {
    auto sum = std::make_shared<Binary>();
    sum->op = op;
    sum->a.value = last;
    sum->b.value = other;
    sum->clamp = FloatActivationRange(activation);
    return Make(sum);
  }
  Chain& Clamped(float lo, float hi) {
    auto map = std::make_shared<Map>();
    map->x = last;
    map->in = map->out = Dtype::kF32;
    map->clamp = {std::bit_cast<int32_t>(lo), std::bit_cast<int32_t>(hi)};
    return Make(map);
  }
  Chain& Padded(float fill) {
    auto move = std::make_shared<Move>();
    move->pieces = {{.from = last}, {.fill = std::bit_cast<uint32_t>(fill)}};
    return Make(move);
  }
  Chain& Pooled() {
    auto pool = std::make_shared<Pool>();
    pool->x = last;
    pool->clamp = FloatActivationRange(Activation::kNone);
    return Make(pool);
  }
  Chain& Resized() {
    auto resize = std::make_shared<Resize>();
    resize->x = last;
    return Make(resize);
  }

 private:
  Chain& Make(std::shared_ptr<const LayerOp> op) {
    return Take(AddImage(network, Dtype::kF32, std::move(op)));
  }
  Chain& Take(ValueId id) {
    last = id;
    return *this;
  }
};

struct SignCase {
  const char* name;
  bool never_negative;
  std::function<void(Chain&)> make;
};

class NeverNegative : public testing::TestWithParam<SignCase> {};

TEST_P(NeverNegative, IsKnown) {
  Chain chain;
  chain.Input();
  GetParam().make(chain);
  EXPECT_EQ(IsNeverNegative(chain.network, chain.last), GetParam().never_negative);
}

constexpr auto kRelu = Activation::kRelu;
INSTANTIATE_TEST_SUITE_P(
    All, NeverNegative,
    testing::Values(
        SignCase{"Input", false, [](Chain&) {}},
        SignCase{"ConvWithRelu", true, [](Chain& c) { c.ProductOf<Conv>(kRelu); }},
        SignCase{"ConvWithRelu6", true, [](Chain& c) { c.ProductOf<Conv>(Activation::kRelu6); }},
        SignCase{"ConvAlone", false, [](Chain& c) { c.ProductOf<Conv>(Activation::kNone); }},
        SignCase{"ConvWithReluN1To1", false,
                 [](Chain& c) { c.ProductOf<Conv>(Activation::kReluN1To1); }},
        SignCase{"DepthwiseWithRelu", true, [](Chain& c) { c.ProductOf<Depthwise>(kRelu); }},
        SignCase{"DepthwiseAlone", false,
                 [](Chain& c) { c.ProductOf<Depthwise>(Activation::kNone); }},
        SignCase{"Clamp", true, [](Chain& c) { c.Clamped(0.5f, 2.0f); }},
        SignCase{"ClampBelowZero", false, [](Chain& c) { c.Clamped(-0.5f, 2.0f); }},
        SignCase{"PaddedWithZeros", true, [](Chain& c) { c.ProductOf<Conv>(kRelu).Padded(0); }},
        SignCase{"PaddedWithLess", false, [](Chain& c) { c.ProductOf<Conv>(kRelu).Padded(-1); }},
        SignCase{"PooledAndResized", true,
                 [](Chain& c) { c.ProductOf<Conv>(kRelu).Pooled().Resized(); }},
        SignCase{"PooledInput", false, [](Chain& c) { c.Pooled(); }},
        SignCase{"SumOfTwo", true,
                 [](Chain& c) {
                   const ValueId first = c.ProductOf<Conv>(kRelu).last;
                   c.ProductOf<Conv>(kRelu).Sum(BinaryOp::kAdd, first);
                 }},
        SignCase{"SumWithTheInput", false,
                 [](Chain& c) {
                   const ValueId input = c.last;
                   c.ProductOf<Conv>(kRelu).Sum(BinaryOp::kAdd, input);
                 }},
        SignCase{"DifferenceOfTwo", false,
                 [](Chain& c) {
                   const ValueId first = c.ProductOf<Conv>(kRelu).last;
                   c.ProductOf<Conv>(kRelu).Sum(BinaryOp::kSub, first);
                 }},
        SignCase{"DifferenceWithRelu", true,
                 [](Chain& c) { c.Sum(BinaryOp::kSub, c.last, kRelu); }},
        SignCase{"OtherType", false,
                 [](Chain& c) {
                   c.ProductOf<Conv>(kRelu);
                   c.network.values.back().dtype = Dtype::kI8;
                 }}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace acme::compiler
