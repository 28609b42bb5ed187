// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How many multiply-accumulates an op takes, from the shapes of its tensors. Pure.

#ifndef NPUKIT_SDK_HOST_RUNTIME_PLAN_MAC_COUNT_H_
#define NPUKIT_SDK_HOST_RUNTIME_PLAN_MAC_COUNT_H_

#include <cstdint>

#include "sdk/host/kernels/node.h"

namespace npukit {

// 0 for ops without products of sums (elementwise ones, pooling, data movement), which a multiplier
// array does not run. Padding counts as if it were data. The node's shapes are resolved.
uint64_t CountMacs(const kernels::Node& node);
// The same of an op whose shapes are those of the file: dynamic dimensions count as they stand
// there. 0 where a shape overflows.
uint64_t CountMacs(const Op& op);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_PLAN_MAC_COUNT_H_
