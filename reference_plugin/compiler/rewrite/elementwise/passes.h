// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise operations as passes of the vector engine.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_PASSES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_PASSES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/lower/box.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/network/network.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

// The layer's operation if all of it is one walk of four dimensions over a result without gaps;
// nothing if it is something else.
const Binary* PassOf(const Layer& layer);

// Whether values of so many bytes can be expected to stay in the scratchpad, as a whole. What is
// larger is computed by rows or columns, of which one layer that reads all of it is no part.
bool Stays(int64_t bytes, const Hardware& hardware);

// Extents that both are walks over, with dimensions of one joined in the other; nothing if there are
// none.
std::optional<Extent4> CommonExtent(const Extent4& a, const Extent4& b);
// The operation as a walk over those extents.
Binary WithExtent(const Binary& op, const Extent4& extent);

// Cycles of a pass over values that stand in the scratchpad; `result` is the type of what it writes.
int64_t PassCycles(const Binary& op, Dtype result, const Hardware& hardware);

// Whether some layer after `first` and before `last` writes where the value stands.
bool IsWrittenBetween(ValueId value, size_t first, size_t last, const Network& network);
// The same of any operand of layer `first`, which could not be read later then.
bool IsOperandWrittenBetween(size_t first, size_t last, const Network& network);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_ELEMENTWISE_PASSES_H_
