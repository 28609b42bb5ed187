// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Moves of what was moved become one: a shuffle of channels, of a model that was converted from another layout,
//
//   x -> transpose -> reshape -> transpose -> reshape -+-> slice -> transpose -> a
//                                                      '-> slice -> transpose -> b
//
//   x -+-> move -> a
//      '-> move -> b
//
// Only where the first is needed no more, and no element is moved more than once for it. The network is as it was
// legalised: no value is a name of another's storage yet. Values keep their numbers.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_COMPOSE_MOVES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_COMPOSE_MOVES_H_

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

void ComposeMoves(Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_MOVEMENT_COMPOSE_MOVES_H_
