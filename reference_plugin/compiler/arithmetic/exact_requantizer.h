// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TFLite's reference FULLY_CONNECTED scales its int32 sums by a float64 number and rounds half away
// from zero. The NPU has 31-bit multipliers. Both are staircases that rise with the sum, and the
// result has at most 256 (int8) steps inside its clamp, so whether a multiplier is exact for every
// sum can be decided by looking at the step edges alone.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_EXACT_REQUANTIZER_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_EXACT_REQUANTIZER_H_

#include <cstdint>
#include <optional>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

namespace acme::compiler {

// A multiplier that with Rounding::kSingle gives clamp(round(sum * real) + zero_point) for every
// |sum| <= max_sum; nothing if none near `real` does. `clamp` is that of an 8-bit type.
std::optional<FixedPoint> FindExactRequantizer(double real, int32_t zero_point,
                                               const ClampRange& clamp, int64_t max_sum);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_EXACT_REQUANTIZER_H_
