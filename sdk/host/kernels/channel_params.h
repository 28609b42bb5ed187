// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Quantisation along a dimension, for operators that take any.

#ifndef NPUKIT_SDK_HOST_KERNELS_CHANNEL_PARAMS_H_
#define NPUKIT_SDK_HOST_KERNELS_CHANNEL_PARAMS_H_

#include "litert/cc/litert_expected.h"
#include "sdk/host/kernels/node.h"

namespace npukit::kernels {

// The shape has the quantised dimension, each of its indices a positive finite scale and a zero
// point that the type holds.
litert::Expected<void> CheckChannelParams(const Node& node, const Operand& operand);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CHANNEL_PARAMS_H_
