// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fusing. In: a legal network. Out: the same network without the layers that need no work of their
// own: a change of shape becomes a second name of its operand's storage; an activation rides on the layer
// before (activations.h), squares on the sum or the mean of them.
//
// It comes first so that all later stages see storage as it will be: what shares storage lives as
// long as the longest of its names, and is not cut into strips.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_FUSE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_FUSE_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// The same results with fewer layers. Values keep their numbers.
Network Fuse(const Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_FUSE_H_
