// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Paddings before and after the dimensions of a tensor, and the value that padding has.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_

#include <vector>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// What stands outside a tensor of output 0's type: the zero point of quantised types, 0 else.
ElemValue PaddingValue(const Node& node, size_t elem_bytes);

// Input 1's paddings before and after each dimension of input 0: [d][0] and [d][1]; not negative.
litert::Expected<std::vector<int64_t>> PaddingsOf(const Node& node);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_
