// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/unary/rounding_function.h"

namespace npukit::kernels::op_ceil {
namespace {

struct Ceil {
  template <typename T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};
using Function = RoundingFunction<Ceil>;

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the smallest whole number not below x",
            .source = "TFLite CEIL, reference kernels",
            .types = "float32"},
    .infer = InferRounding,
    .prepare = PrepareDefaultFunction<Function>,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_ceil
