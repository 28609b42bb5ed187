// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of large images. In: a fused network. Out: one in which a reduction over the rows of an image
// comes after one within each row, which can be computed by rows:
//
//   x [1, H, W, C] -> mean -> y [C]      x -> means of rows -> p [1, H, 1, C] -> mean -> y [C]
//
// What makes x, or what x is made of, passes the scratchpad some rows at a time, then (strips.h): x is not
// read again for its mean, and squares of differences that are averaged are never written.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_SPLIT_REDUCTIONS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_SPLIT_REDUCTIONS_H_

#include <cstdint>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Of images of more bytes than `large_bytes`, before rows are marked (mark_rows.h). Integers stay what they are,
// to the last bit. Of float32 an element goes through fewer additions than any order of all of them asks for, and
// through one division more: errors stay within the bound for sums in any order.
void SplitReductions(Network& network, int64_t large_bytes);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_SPLIT_REDUCTIONS_H_
