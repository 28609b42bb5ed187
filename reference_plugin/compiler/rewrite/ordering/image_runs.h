// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers over images one after the other, so that regions.h can compute them together: it takes runs
// of layers as they stand, and a model may name a small layer between any two.
//
//   mean: [1, 1, 1, c]; real: image; real_mean: [1, 1, 1, c]; difference: image
//
//   mean; real_mean; real; difference

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ORDERING_IMAGE_RUNS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ORDERING_IMAGE_RUNS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Small layers that can't be part of a region go before the layers of one that they do not depend on,
// where a later layer reads what these make. The network must be fused.
void JoinImageRuns(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ORDERING_IMAGE_RUNS_H_
