// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Residual sums. In: a fused network. Out: one in which a convolution adds to its results, as they
// are drained, what an ADD that alone read them added:
//
//   x --> conv --> + --> y        x --> conv + --> y
//   r -------------'              r ---------'
//
// Of an r that was given channels of zeros for it only those that it had are read:
//
//   x --> conv ---------> + --> y     x --> conv + --> y
//   r --> 24 of 28 c. ----'           r ---------'

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_RESIDUALS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_RESIDUALS_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Before layers are marked that can be computed by rows (rows/). Values stay what they are, to the
// last bit. False: there was none.
bool FuseResiduals(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_RESIDUALS_H_
