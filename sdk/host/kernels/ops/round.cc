// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/unary_function.h"

namespace npukit::kernels {
namespace {

struct Function {
  float operator()(float x) const { return std::nearbyint(x); }
  // A jump inside the interval counts in full.
  Bounded operator()(Bounded x) const {
    const double value = std::nearbyint(x.value);
    if (x.bound == 0) return {value, 0};
    return {value, std::max(std::nearbyint(x.high()) - value, value - std::nearbyint(x.low()))};
  }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(round) = {
    .doc = {.formula = "the nearest whole number, ties to even",
            .source = "TFLite ROUND, reference kernels",
            .types = "float32"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels
