// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels::op_square {
namespace {

struct Function {
  float operator()(float x) const { return x * x; }
  Bounded operator()(Bounded x) const { return Mul(x, x); }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "x x", .source = "TFLite SQUARE, reference kernels", .types = "float32"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_square
