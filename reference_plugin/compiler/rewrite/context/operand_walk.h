// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How operations walk over values whose innermost dimension is a context: columns, one a position,
// in rows.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_OPERAND_WALK_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_OPERAND_WALK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/walk.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// The walk of a whole operation, dimensions of one left out: operands a, b, and c if there is one.
Walk WalkOf(const Binary& op);
// The operation with another walk of no more elements; nothing if it has too many dimensions.
std::optional<Binary> WithWalk(Binary op, const Walk& walk);

// Whether the operand has as many columns, one beside the other; false: one element for all of a row.
// Nothing if it is neither.
std::optional<bool> IsByColumn(const Walk& walk, size_t operand, int64_t columns);

// The same; nothing, too, if the operand's rows are neither the result's nor one for all of them.
std::optional<bool> IsByColumnOfItsRow(const Walk& walk, size_t operand, int64_t columns);

// The walk with a dimension that ends where a row of so many columns does; nothing if there is none.
std::optional<Walk> SplitAtRow(Walk walk, int64_t columns);

// Whether the value is another name for all of its base.
bool IsWholeView(const Value& view, const Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_CONTEXT_OPERAND_WALK_H_
