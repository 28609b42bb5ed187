// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/reduction/reduction_extreme.h"

namespace npukit::kernels::op_reduce_max {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the largest element over the axes",
            .source = "TFLite REDUCE_MAX, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = InferExtreme,
    .prepare = PrepareExtreme<Largest>,
    .oracle = ExtremeOracle<Largest>,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_reduce_max
