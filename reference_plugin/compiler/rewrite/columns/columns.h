// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Columns. In: a fused network. Out: one in which chains of layers over large matrices are computed
// some columns at a time, all layers of a chain for these columns, then for the next, so that what
// passes between them stays in the scratchpad. Rows would do, too, but then the weights of products
// among the layers would come from the DRAM once for each step:
//
//   x [64, 512] --> product, scale, function --.
//          |                                   * --> [64, 2048]
//          '-----> product, scale -------------'
//                  columns 0..511, 512..1023, ...
//
// What others read is written to its place among the whole. Besides, one step's products run while
// the vector engine has another's functions.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_COLUMNS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// Whether layers of a network are steps of such chains.
bool HasColumns(const Network& network);

// Layers [first, last] of a network in steps of so many columns.
struct ColumnRegion {
  size_t first = 0;
  size_t last = 0;
  int32_t cols = 0;
  bool hands_on = false;  // results stay in parts for a later region in the same steps
  // What the largest of rows are looked for in stays for its step and is copied to its place among
  // the whole, which is too large to stay: to be looked through it need not come back.
  bool copies = false;
  bool operator==(const ColumnRegion&) const = default;
};

struct ColumnOptions {
  // What one chain makes for the next may stay in parts, and the largest of its rows be looked for
  // in the same steps. (Of what can't stay they always are.)
  bool hand_on = false;
  // Of chains whose values stay, too, if by estimate enough of their work would be side by side.
  bool side_by_side = false;
};

// Chains whose values would not stay in the scratchpad, and others by option.
std::vector<ColumnRegion> ChooseColumns(const Network& network, const Hardware& hardware,
                                        const ColumnOptions& options);

// The network with those regions replaced by their steps; layers keep their handles.
Network SplitIntoColumns(const Network& network, const std::vector<ColumnRegion>& regions);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_COLUMNS_COLUMNS_H_
