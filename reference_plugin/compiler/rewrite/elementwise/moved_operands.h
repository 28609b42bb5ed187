// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Movement beside elementwise operations becomes addressing, where values stay in the scratchpad.
//
// In: a fused network. Out: one in which these read by strides what a move would have brought
// together, and write where a concatenation would have put it. A rotary embedding, of 7 passes, takes
// 4, and 3 where operations are chained:
//
//   x --+-- first --- * cosine --.            x --+-- * cosine --.
//       |   (slice)              - --.            |              - -- left half of y
//       +-- second -- * sine ---'    |            +-- * sine ---'
//       |                            +-- y        |
//       :                            |            :
//       ...              -- right --'             ...              -- right half of y

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_MOVED_OPERANDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_MOVED_OPERANDS_H_

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Both come before layers are marked that can be computed by rows (rows/); operations are chained
// between the two (chains.h), since one that writes a part of a value is no link of a chain.

// A move of one piece goes if elementwise operations alone read what it moves, and take no longer by
// strides.
void ReadMovedOperands(Network& network, const Hardware& hardware);

// A concatenation goes if elementwise operations alone make all that it joins, for it alone, and take
// no longer by strides.
void WriteJoinedResults(Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_MOVED_OPERANDS_H_
