// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels::op_sin {
namespace {

struct Function {
  float operator()(float x) const { return std::sin(x); }
  Bounded operator()(Bounded x) const {
    return Lipschitz([](double v) { return std::sin(v); }, 1, x, FunctionUlps::kSinCos);
  }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "sin(x), x in radians",
            .source = "TFLite SIN, reference kernels",
            .types = "float32"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_sin
