// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise.h"
#include "sdk/host/kernels/movement.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return MakeUnary<float>(node, [](float x) { return 1.0f / std::sqrt(x); });
}

// Below zero there is no value, and an interval that reaches zero has no bound.
Bounded Rsqrt(Bounded x) {
  return Monotone([](double v) { return 1.0 / std::sqrt(v); }, x, FunctionUlps::kRsqrt);
}

litert::Expected<void> Oracle(const Node& /*node*/, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return UnaryOracle(inputs, outputs, Rsqrt);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(rsqrt) = {
    .doc = {.formula = "1 / sqrt(x)",
            .source = "TFLite RSQRT, reference kernels",
            .types = "float32"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels
