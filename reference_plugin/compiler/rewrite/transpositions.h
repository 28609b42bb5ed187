// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Transpositions beside products of matrices become strides of their operands and results, as
// around the heads of attention:
//
//   q [tokens, heads, depth] -> transpose -> [heads, tokens, depth] -+
//                                                                    +-> matmul -> transpose -> y
//   k [cached, heads, depth] -> transpose -> [heads, cached, depth] -+
//
//   q, its rows heads * depth apart -+
//                                    +-> matmul, its rows apart, too -> y
//   k, its rows heads * depth apart -+
//
// The array wants the elements of what it streams side by side along the sum, the vector engine
// those of the result along its columns. Where a transposition has them otherwise, the operands may
// change places (y' = b' a'), and one product may become several of fewer rows or columns.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TRANSPOSITIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TRANSPOSITIONS_H_

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Takes away moves that only a matrix product reads, or that alone read a product's result, where
// that takes fewer cycles by estimate. Changes of shape must be names of storage by now (fuse.h).
void FuseTranspositions(Network& network, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_TRANSPOSITIONS_H_
