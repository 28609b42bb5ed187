// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/comparison.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_less_equal {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferComparison(node, /*allows_bool=*/false);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "a <= b; 8 bits: of fixed(s_a) (a - zp_a) 256 and the like for b",
            .source = "TFLite LESS_EQUAL, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64; result bool"},
    .infer = Infer,
    .prepare = PrepareLessEqual,
    .oracle = ComparisonOracle<std::less_equal<>>,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_less_equal
