// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels::op_exp {
namespace {

struct Function {
  float operator()(float x) const { return std::exp(x); }
  Bounded operator()(Bounded x) const {
    return Monotone([](double v) { return std::exp(v); }, x, FunctionUlps::kExp);
  }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeInt16});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "e^x; int8: a table, int16: 512 linear pieces",
            .source = "TFLite EXP, reference kernels",
            .types = "float32, int8, int16"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_exp
