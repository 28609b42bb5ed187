// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Activations that were moved before they are rounded are moved behind it, as bytes: a padding, mirrored
// edges, an image of larger pixels. Their largest and least elements stay the same.
//
//   x: f32 -> pad -> rounded: i8          x: f32 -> rounded: i8 -> pad

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_MOVES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_MOVES_H_

#include <cstdint>
#include <memory>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// What stands for 0: `value`, of one element, or if that is kNoValue this byte.
struct RoundedZero {
  ValueId value = kNoValue;
  int8_t byte = 0;
};

// The value of which x has all elements, some of them perhaps often, and zeros; kNoValue if x is
// something else.
ValueId SourceOfMove(ValueId x, const Network& network);

// The operation that makes x of its source, with the bytes of `source` in the place of its elements.
std::shared_ptr<const LayerOp> MoveRounded(ValueId x, ValueId source, const RoundedZero& zero,
                                           const Network& network);

// Fills the piece, which reads nothing, with `zero`.
void FillWith(const RoundedZero& zero, MovePiece& piece);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_PRODUCTS_ROUNDED_MOVES_H_
