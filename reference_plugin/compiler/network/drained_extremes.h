// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The largest element of all of a value, or the least, where what makes the value finds it on the way:
//
//   Conv -> y: f32 -> Reduce max -> scale        Conv -> y, scale
//             |                             or             |
//             +-> rounded by scale                         +-> rounded by scale
//
// Each instruction that brings results out of the accumulators reduces them, too (v.epilogue), so that
// nobody reads all of y for it.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_DRAINED_EXTREMES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_DRAINED_EXTREMES_H_

#include <cstddef>
#include <map>
#include <vector>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// What is found on the way of one value: by kMax, kMin or kMaxMagnitude; with kMax the least, too.
struct DrainedExtremes {
  ReduceOp op = ReduceOp::kMax;
  ValueId result = kNoValue;
  ValueId lows = kNoValue;       // by kMin; kNoValue: nobody asks
  std::vector<size_t> reducers;  // layers that have nothing left to do
  size_t first_maker = 0;        // the first layer that makes some of the value
};

// By the values whose storage they are of. Values of which some are made by layers that don't do it
// (LayerOp::FindsExtremes), or that come from elsewhere, have none.
std::map<ValueId, DrainedExtremes> FindDrainedExtremes(const Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_NETWORK_DRAINED_EXTREMES_H_
