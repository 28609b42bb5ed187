// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/reduction/reduction_extreme.h"

namespace npukit::kernels::op_reduce_min {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the smallest element over the axes",
            .source = "TFLite REDUCE_MIN, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = InferExtreme,
    .prepare = PrepareExtreme<Smallest>,
    .oracle = ExtremeOracle<Smallest>,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_reduce_min
