// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Copies of boxes, put together from what is copied of each dimension.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_SEGMENTS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_SEGMENTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

// In one dimension: to[to_begin + i to_step] = from[from_begin + i from_step].
struct Segment {
  int64_t extent = 0;
  int64_t from_begin = 0;
  int64_t to_begin = 0;
  int64_t from_step = 1;
  int64_t to_step = 1;
};

// A piece for each combination of the dimensions' segments, but for those without elements.
// Dimensions and shapes are outermost first.
std::vector<MovePiece> PiecesOf(ValueId from, const std::vector<int32_t>& from_shape,
                                const std::vector<int32_t>& to_shape,
                                std::span<const std::vector<Segment>> dims);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_SEGMENTS_H_
