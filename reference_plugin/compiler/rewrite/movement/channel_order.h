// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Channels are computed in an order in which those that go the same way stand side by side. In: a fused network.
// Out: one in which what joins, splits and shuffles channels moves runs of them, not every other one:
//
//   conv -> a: 0 1 2 3 4 5      -> 1 3 5 -> conv             conv -> a: 1 3 5 0 2 4    -> 1 3 5 -> conv
//                               -> 0 2 4 -> joined with b                              -> 0 2 4 -> joined with b
//
// A convolution makes its channels in any order, and reads them in any, by the order of its weights.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_ORDER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_ORDER_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Where moves take fewer runs so, of all together. Only values change that convolutions and such moves alone make and
// read, under one name. Integers stay what they are; of float32 products are summed up in another order.
void OrderChannels(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_CHANNEL_ORDER_H_
