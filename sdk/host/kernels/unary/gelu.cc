// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

constexpr float kRootOfHalf = 0.70710678118654752440f;
constexpr float kRootOfTwoOverPi = 0.79788456080286535588f;
constexpr float kCubic = 0.044715f;

// x / 2 erfc(-x / sqrt 2), or x / 2 (1 + erf(x / sqrt 2)).
struct Exact {
  float operator()(float x) const { return 0.5f * x * std::erfc(x * -kRootOfHalf); }
  Bounded operator()(Bounded x) const {
    const Bounded at = Mul(x, {-kRootOfHalf, 0});
    const Bounded tail = Monotone([](double v) { return std::erfc(v); }, at, FunctionUlps::kErf);
    Bounded result = Mul(Mul({0.5, 0}, x), tail);
    // By 1 + erf the error is that of an erf near 1.
    result.bound += 0.5 * x.reach() * 2 * (FunctionUlps::kErf + 1) * kRoundingUnit;
    return result;
  }
};

// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
struct Approximate {
  float operator()(float x) const {
    return 0.5f * x * (1.0f + std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x)));
  }
  Bounded operator()(Bounded x) const {
    const Bounded cube = Mul(Mul(Mul({kCubic, 0}, x), x), x);
    const Bounded at = Mul({kRootOfTwoOverPi, 0}, Add(x, cube));
    const Bounded tanh = Monotone([](double v) { return std::tanh(v); }, at, FunctionUlps::kTanh);
    return Mul(Mul({0.5, 0}, x), Add({1, 0}, tanh));
  }
};

bool IsApproximate(const Node& node) {
  const auto* options = node.op->OptionsAs<GeluOptions>();
  return options != nullptr && options->approximate;
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return IsApproximate(node) ? PrepareFunction(node, Approximate())
                             : PrepareFunction(node, Exact());
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (IsApproximate(node)) return FunctionOracle(node, inputs, outputs, Approximate());
  return FunctionOracle(node, inputs, outputs, Exact());
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Gelu) = {
    .doc = {.formula = "x / 2 erfc(-x / sqrt 2), or approximately x / 2 (1 + tanh(sqrt(2 / pi) (x "
                       "+ 0.044715 x^3))); 8 bits: a table, int16: 512 linear pieces",
            .source = "TFLite GELU"},
    .signature = "T -> T; T = float32|float16|int8|uint8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
