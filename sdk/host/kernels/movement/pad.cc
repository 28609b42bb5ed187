// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/padding.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels::op_pad {

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the input with paddings[d][0] elements before and paddings[d][1] after it "
                       "in dimension d: 0, or the "
                       "zero point of quantised tensors",
            .source = "TFLite PAD",
            .types = "any of 1, 2, 4 or 8 bytes"},
    .infer = InferPadding,
    .prepare = PreparePadding,
    .oracle = PaddingOracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_pad
