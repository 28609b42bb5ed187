// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An image that is enlarged and then padded with its mirrored edges is sampled once.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_JOIN_RESAMPLINGS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_JOIN_RESAMPLINGS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Of resamplings by nearest neighbours, one after the other, where nobody else sees what is between.
void JoinResamplings(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_JOIN_RESAMPLINGS_H_
