// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Strips. In: a fused network. Out: one in which chains of layers whose values between them are too
// large to live in the scratchpad are computed in strips of rows: all layers of the chain for some
// rows of the last result, then for the next. What two strips both need is computed twice, which
// costs less than the way of the whole value to the DRAM and back.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_

#include <cstdint>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

struct StripLimits {
  int64_t value_bytes = 0;  // larger values are not kept whole
  int64_t strip_bytes = 0;  // of all values between the layers of a chain, for one strip
};

// The network with such chains replaced by their strips. Strips write to parts of the chain's
// result; layers keep their handles.
Network SplitIntoStrips(const Network& network, const StripLimits& limits);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_
