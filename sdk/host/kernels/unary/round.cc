// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/unary/rounding_function.h"

namespace npukit::kernels::op_round {
namespace {

struct Nearest {
  template <typename T>
  T operator()(T x) const {
    return std::nearbyint(x);
  }
};
using Function = RoundingFunction<Nearest>;

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the nearest whole number, ties to even",
            .source = "TFLite ROUND, reference kernels",
            .types = "float32"},
    .infer = InferRounding,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_round
