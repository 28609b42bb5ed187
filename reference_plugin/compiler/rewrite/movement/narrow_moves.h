// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elements are moved in their narrower type, where models move them between conversions:
//
//   x: i8 -> dequantise: f32 -> resize -> pad -> quantise: i8
//
//   x: i8 -> table: i8 -> resize -> pad
//
// What only moves elements and what is done to each of them may change places. Conversions to a
// narrower type go before the moves that make what they read, those to a wider type behind the moves
// that read what they make; a conversion that meets its inverse is gone, and two that meet over bytes
// are a table. Results are the same to the bit.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_NARROW_MOVES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_NARROW_MOVES_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Where fewer bytes are read and written so. The network is as it was legalised: no value is a name
// of another's storage yet. Values keep their numbers; others are added.
void NarrowMoves(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_NARROW_MOVES_H_
