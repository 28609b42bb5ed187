// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What PAD and PADV2 share, and the value that padding has. Inputs: 0 the elements, 1 paddings
// [rank, 2], 2 (PADV2) the value, one element.

#ifndef NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_
#define NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_

#include <vector>

#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// What stands outside a tensor of output 0's type: the zero point of quantised types, 0 else.
ElemValue PaddingValue(const Node& node, size_t elem_bytes);

// Input 1's paddings before and after each dimension of input 0: [d][0] and [d][1]; not negative.
litert::Expected<std::vector<int64_t>> PaddingsOf(const Node& node);

litert::Expected<Inferred> InferPadding(const Node& node);
litert::Expected<std::unique_ptr<Kernel>> PreparePadding(const Node& node,
                                                         const PrepareOptions& options);
litert::Expected<void> PaddingOracle(const Node& node, std::span<const OracleTensor* const> inputs,
                                     std::span<OracleTensor> outputs);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_MOVEMENT_PADDING_H_
