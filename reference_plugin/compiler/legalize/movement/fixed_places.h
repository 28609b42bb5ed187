// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Slices that constant indices choose are known before the program runs: boxes, as SLICE takes them.
//
//   [0 1 2 3 9 7 5]  ->  [0 1 2 3] [9 7 5]

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_FIXED_PLACES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_FIXED_PLACES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reference_plugin/compiler/legalize/movement/segments.h"
#include "reference_plugin/compiler/lower/movement/gather.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

// The places as segments of equal steps, none of which is 0. Nothing if there are more than a few (an
// indexed load then takes less time), or if one lies outside 0 .. along - 1, which is an error of the run.
std::vector<Segment> FewSegments(std::span<const int64_t> places, int64_t along);

// The gather of those places as boxes of its table; null where they are no few segments.
std::shared_ptr<Move> FixedSlices(std::span<const int64_t> places, const Gather& gather);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_FIXED_PLACES_H_
