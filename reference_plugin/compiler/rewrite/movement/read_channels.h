// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring channels that convolutions alone read are read where they stand:
//
//   x [1, H, W, 48] -> channels 24 to 47 -> conv          x -> conv of x's channels from 24 on

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_READ_CHANNELS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_READ_CHANNELS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// In a fused network.
void ReadChannels(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_READ_CHANNELS_H_
