// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Shapes that index arithmetic can trust.

#ifndef NPUKIT_SDK_HOST_KERNELS_OPERAND_CHECK_H_
#define NPUKIT_SDK_HOST_KERNELS_OPERAND_CHECK_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

// At most 8 dimensions, none negative, whose product in bytes is below 2^47 even if those that are
// 0 are left out: strides do not overflow. A known value has the size of the shape. CheckNode asks
// it of every input, InferNode of every output.
litert::Expected<void> CheckOperand(const Node& node, const Operand& operand);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_OPERAND_CHECK_H_
