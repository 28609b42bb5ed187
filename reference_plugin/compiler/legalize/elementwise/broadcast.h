// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Shapes that are broadcast to a result's.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_BROADCAST_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_BROADCAST_H_

#include <cstdint>
#include <span>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// An error if an operand does not broadcast to the result, or the result is larger than they make it.
Expected<Walk> BroadcastTo(const std::vector<int32_t>& result,
                           std::span<const std::vector<int32_t>> operands);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_ELEMENTWISE_BROADCAST_H_
