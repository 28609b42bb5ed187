// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chains. In: a fused network. Out: one in which an elementwise operation of float32 takes the one
// with it that makes an operand for it alone, where the vector engine has both in one pass:
//
//   x, by row --> * --> unit --> * --> y        x, by row --> * then * --> y
//                  by column ----'                   by column --'

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CHAINS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CHAINS_H_

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Before layers are marked that can be computed by rows (rows/). Values stay what they are, to the
// last bit. False: there was none.
bool FuseChains(Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_CHAINS_H_
