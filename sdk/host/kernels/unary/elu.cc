// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels::op_elu {
namespace {

struct Function {
  float operator()(float x) const { return x < 0.0f ? std::expm1(x) : x; }
  // Or exp(x) - 1, whose error near 0 is absolute.
  Bounded operator()(Bounded x) const {
    Bounded result =
        Monotone([](double v) { return v < 0 ? std::expm1(v) : v; }, x, FunctionUlps::kExpm1);
    if (x.low() < 0) result.bound += 2 * FunctionUlps::kExp * kRoundingUnit;
    return result;
  }
};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "x if x >= 0, else e^x - 1; int8: a table",
            .source = "TFLite ELU, reference kernels",
            .types = "float32, int8"},
    .infer = Infer,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_elu
