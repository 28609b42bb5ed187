// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/comparison.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_equal {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferComparison(node, /*allows_bool=*/true);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc =
        {.formula =
             "a == b; 8 bits and quantised int16: of fixed(s_a) (a - zp_a) 256 and the like for b",
         .source = "TFLite EQUAL, reference kernels",
         .types = "float32, int8, uint8, int16, int32, int64, bool; result bool"},
    .infer = Infer,
    .prepare = PrepareEqual,
    .oracle = ComparisonOracle<std::equal_to<>>,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_equal
