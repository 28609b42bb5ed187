// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rows. In: a fused network, as later stages see it. Out: the same, with those layers marked that can be
// computed by rows of an image, for strips.h: elementwise ones, comparisons, reductions of other
// dimensions, moves that keep rows, and what attention is made of, whose rows are its heads, or its tokens.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_MARK_ROWS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_MARK_ROWS_H_

#include <cstdint>
#include <limits>

#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// `most_dealt_bytes`: of products of which a row of the image has a row of each, none larger is
// marked. Each step loads the weights of all of them anew, so that few steps must do.
void MarkRows(Network& network, int64_t most_dealt_bytes = std::numeric_limits<int64_t>::max());

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ROWS_MARK_ROWS_H_
