// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/larger_or_smaller.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_maximum {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the larger of a and b; quantised tensors, which have one scale, as stored",
            .source = "TFLite MAXIMUM, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = InferLargerOrSmaller,
    .prepare = PrepareLargerOrSmaller<std::greater<>>,
    .oracle = LargerOrSmallerOracle<std::greater<>>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_maximum
