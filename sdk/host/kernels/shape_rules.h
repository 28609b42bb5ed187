// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What shape inference needs in many operators: values of index tensors, axes,
// broadcast shapes, type lists.

#ifndef NPUKIT_SDK_HOST_KERNELS_SHAPE_RULES_H_
#define NPUKIT_SDK_HOST_KERNELS_SHAPE_RULES_H_

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// The operand has one of the types.
litert::Expected<void> CheckType(const Node& node, const Operand& operand,
                                 std::initializer_list<LiteRtElementType> types);
litert::Expected<void> CheckSameType(const Node& node, const Operand& a, const Operand& b);

// The known value of an operand of signed integers, widened. The caller has seen
// that it has a constant or no elements.
litert::Expected<std::vector<int64_t>> IntegerValues(const Node& node, const Operand& operand);

// axis in [-rank, rank) as [0, rank); an error that names the op otherwise.
litert::Expected<int32_t> ResolveAxis(const Node& node, int64_t axis, size_t rank);

// NumPy's rule, aligned at the last dimension; an error naming both operands
// where dimensions differ and neither is 1.
litert::Expected<Shape> BroadcastShapes(const Node& node, const Operand& a, const Operand& b);

// Product of the dimensions in [begin, end).
int64_t ElemsOf(std::span<const int32_t> shape, size_t begin, size_t end);
inline int64_t ElemsOf(std::span<const int32_t> shape) { return ElemsOf(shape, 0, shape.size()); }

// True if the input's value must still be found out before shapes can be
// inferred.
inline bool IsUnknown(const Operand& operand) {
  return !operand.has_constant() && operand.elems() > 0;
}

// Dimensions computed in int64, refused if they are negative or do not fit.
litert::Expected<Shape> NarrowShape(const Node& node, std::span<const int64_t> dims);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_SHAPE_RULES_H_
