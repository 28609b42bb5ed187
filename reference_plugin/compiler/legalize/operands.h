// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The checks of an op's operands that follow from operators.def, and readers of operands that say
// how an op computes. Every refusal is the sentence that people read beside an op that stayed on the
// CPU.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_OPERANDS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_OPERANDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/support.h"

namespace acme::compiler {

// The first operand and the first result.
struct OneOperand {
  TensorInfo x;
  TensorInfo y;
};
// As operators.def has it: number of operands, types, scales; one result.
Expected<OneOperand> ReadOneOperand(const litert::Op& op);

// Types of integers with a scale.
bool IsQuantisedType(Dtype dtype);

// One scale; a zero point inside the type, 0 for int16.
Expected<void> CheckPerTensor(const TensorInfo& info);

// The constant's integers (int32 or int64), widened. Errors: not constant; another type.
Expected<std::vector<int64_t>> ReadIntegers(const litert::Tensor& tensor, const char* what);

// axis in [-rank, rank) as [0, rank).
Expected<size_t> ResolveAxis(int64_t axis, size_t rank);

// `real` as a multiplier that the instructions hold; an error if it is too large or not a number.
Expected<FixedPoint> CheckedMultiplier(double real);

inline float ScaleOf(const TensorInfo& info) { return info.scales[0]; }
inline int32_t ZeroPointOf(const TensorInfo& info) {
  return static_cast<int32_t>(info.zero_points[0]);
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_OPERANDS_H_
