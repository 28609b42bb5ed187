// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/unary/rounding_function.h"

namespace npukit::kernels::op_floor {
namespace {

struct Floor {
  template <typename T>
  T operator()(T x) const {
    return std::floor(x);
  }
};
using Function = RoundingFunction<Floor>;

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the largest whole number not above x",
            .source = "TFLite FLOOR, reference kernels",
            .types = "float32"},
    .infer = InferRounding,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_floor
