// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/unary_function.h"

namespace npukit::kernels {
namespace {

struct Function {
  float operator()(float x) const { return std::floor(x); }
  // A jump inside the interval counts in full.
  Bounded operator()(Bounded x) const {
    const double value = std::floor(x.value);
    if (x.bound == 0) return {value, 0};
    return {value, std::max(std::floor(x.high()) - value, value - std::floor(x.low()))};
  }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(floor) = {
    .doc = {.formula = "the largest whole number not above x",
            .source = "TFLite FLOOR, reference kernels",
            .types = "float32"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels
