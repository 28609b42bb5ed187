// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Real numbers as the fixed-point multipliers that the NPU applies, exactly as TFLite derives them
// (tflite/kernels/internal/quantization_util.cc and the operators' Prepare functions).

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_FIXED_POINT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_FIXED_POINT_H_

#include <cstdint>
#include <string>

#include "simulator/isa/types.h"

namespace acme::compiler {

// value = mult * 2^(shift - 31); mult in [2^30, 2^31) or 0.
struct FixedPoint {
  int32_t mult = 0;
  int32_t shift = 0;
  bool operator==(const FixedPoint&) const = default;
};

// The nearest; below 2^-32 it is 0. `real` must be finite and not negative.
FixedPoint QuantizeMultiplier(double real);

// What a quantised result is clamped to.
struct ClampRange {
  int32_t lo = 0;
  int32_t hi = 0;
  bool operator==(const ClampRange&) const = default;
};

enum class Activation : uint8_t { kNone, kRelu, kReluN1To1, kRelu6 };

// "1073741824p-3", "[-128, 127]": for descriptions of layers.
std::string ToString(const FixedPoint& value);
std::string ToString(const ClampRange& range);

// Limits of an integer type; i32 has its full range.
ClampRange TypeRange(Dtype dtype);

// Limits that no result of the type exceeds; of float32 as binary32 bits.
ClampRange OpenRange(Dtype dtype);

// The fused activation's limits in the result's steps, within the type's.
ClampRange ActivationRange(Activation activation, Dtype dtype, float scale, int32_t zero_point);

// The same for float results, as binary32 bits.
ClampRange FloatActivationRange(Activation activation);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_FIXED_POINT_H_
