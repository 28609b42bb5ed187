// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Strips. In: a fused network, and which of its layers are computed together (regions.h). Out: a
// network in which they are: all layers of a region for some rows, then for the next. Between the
// layers of a region only the rows live that are still needed; nothing is computed twice. What one
// step leaves for the next is copied to the head of the next step's rows:
//
//   rows of a value   0 1 2 3 4 5 6 7 8 9
//   step 1            [computed ]
//   step 2                  [cp][computed]      a window of three rows needs two of the last
//
// (A copy costs less than the vector engine's part of computing the rows again.)

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_

#include <span>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/rewrite/regions.h"

namespace acme::compiler {

struct Strips {
  Network network;
  bool has_results_beside = false;
};

// The network with the regions replaced by their strips. Strips write to parts of the results that
// others need; layers keep their handles. Rows of results above `large_bytes` that others need and the region reads,
// too, are held and written to the results beside.
Strips SplitIntoStrips(const Network& network, std::span<const StripRegion> regions,
                       int64_t large_bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_STRIPS_H_
