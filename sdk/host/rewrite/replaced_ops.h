// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which of the ops that a rewrite erases each of its new ops stands for.

#ifndef NPUKIT_SDK_HOST_REWRITE_REPLACED_OPS_H_
#define NPUKIT_SDK_HOST_REWRITE_REPLACED_OPS_H_

#include <span>
#include <vector>

#include "sdk/host/model/graph/op.h"

namespace npukit {

// One list per op of `built`, in the order of `erased`. A new op that writes tensors of erased ops
// stands for those that computed them, back to tensors that another new op writes; one whose
// results only new ops read, for what its readers stand for; where neither says anything, for all.
// The graph is as it was before the rewrite, and what is built has no cycle.
std::vector<std::vector<const Op*>> ReplacedOps(std::span<const Op* const> built,
                                                std::span<const Op* const> erased);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_REWRITE_REPLACED_OPS_H_
