// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Shapes that are broadcast to a result's.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BROADCAST_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BROADCAST_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// An error if an operand does not broadcast to the result, or the result is larger than they make it.
Expected<Walk> BroadcastTo(const std::vector<int32_t>& result,
                           std::span<const std::vector<int32_t>> operands);

// Few channels of a constant that meet every pixel fill few lanes. In their place comes a constant
// in which they stand several times, and so many pixels are one row, as far as rows of the result
// have that many. Of operands that stand densely, are one number, or are such constants.
Walk RepeatConstantRows(const Walk& walk, std::span<ValueId* const> operands,
                        const std::vector<int32_t>& result, NetworkBuilder& builder);

// Dimensions of the result that both operands walk alike (dense, or both broadcast the same way)
// are merged, so that few models need more than the NPU's four.
struct BroadcastPlan {
  Extent4 extent = {1, 1, 1, 1};
  Extent4 a_stride = {};
  Extent4 b_stride = {};
  std::vector<OuterDimension> outer;
};
BroadcastPlan PlanBroadcast(const std::vector<int32_t>& a, const std::vector<int32_t>& b,
                            const std::vector<int32_t>& y);

// Extent of an operand in result dimension `d`, counted from the innermost.
int32_t DimFromBack(const std::vector<int32_t>& shape, size_t d);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_BROADCAST_H_
