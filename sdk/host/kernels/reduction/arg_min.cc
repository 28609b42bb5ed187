// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/reduction/arg_extreme.h"

namespace npukit::kernels::op_arg_min {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the index of the smallest element along axis, the first of equals; stored "
                       "values are compared",
            .source = "TFLite ARG_MIN",
            .types = "float32, int8, uint8, int16, int32, int64, bool; indices int32, int64"},
    .infer = InferArgExtreme,
    .prepare = PrepareArgExtreme<std::less<>>,
    .oracle = ArgExtremeOracle<std::less<>>,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_arg_min
