// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Paddings, for operators that pad and do more.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_PAD_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_PAD_H_

#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {

// Elements by dimension, outermost first.
struct Padding {
  std::vector<int64_t> before;
  std::vector<int64_t> after;
};

// What fills the padding of a tensor: the zero point, or 0 where it is not quantised; the bytes as a
// little-endian number.
uint32_t ZeroOf(const TensorInfo& info);

// `from` in the midst of a result of shape `y`, and slabs around it.
std::vector<MovePiece> PadPieces(ValueId from, const Padding& padding, uint32_t fill,
                                 const std::vector<int32_t>& y);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_MOVEMENT_PAD_H_
