// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Layers that move elements and look at none of them.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVED_ELEMS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVED_ELEMS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/network.h"

namespace acme::compiler {

// Of such a layer: how many elements it reads, each once, and writes; none if it only gives them
// another shape.
// Nothing of another layer.
std::optional<int64_t> MovedElems(const Layer& layer, const Network& network);

// What a layer that moves elements fills its result with between them; several are possible.
std::vector<uint32_t> FillsOf(const Layer& layer);

// The same movement of other operands, of this type. `fill` changes the pieces that read none.
std::shared_ptr<const LayerOp> MoveOf(const Layer& layer, Dtype dtype,
                                      const std::function<ValueId(ValueId)>& operand,
                                      const std::function<void(MovePiece&)>& fill);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LOWER_MOVEMENT_MOVED_ELEMS_H_
