// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/larger_or_smaller.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_minimum {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the smaller of a and b; quantised tensors, which have one scale, as stored",
            .source = "TFLite MINIMUM, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = InferLargerOrSmaller,
    .prepare = PrepareLargerOrSmaller<std::less<>>,
    .oracle = LargerOrSmallerOracle<std::less<>>,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_minimum
