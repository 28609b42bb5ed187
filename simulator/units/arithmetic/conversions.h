// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Between stored integers and the numbers that they stand for, as TFLite's kernels convert them.

#ifndef NPUKIT_SIMULATOR_UNITS_ARITHMETIC_CONVERSIONS_H_
#define NPUKIT_SIMULATOR_UNITS_ARITHMETIC_CONVERSIONS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simulator/isa/instruction.h"
#include "simulator/units/arithmetic/fixed_point.h"

namespace acme {

// round(x), halves away from zero, to int32 with saturation; NaN gives 0.
inline int32_t RoundAway(float x) {
  if (std::isnan(x)) return 0;
  // Not floor(x + 0.5): the largest number below 0.5 would become 1.
  const float rounded = x >= 0 ? std::floor(x + 0.0f) : std::ceil(x);
  const float fraction = std::fabs(x - rounded);
  const float result = fraction >= 0.5f ? rounded + (x >= 0 ? 1.0f : -1.0f) : rounded;
  if (result >= 2147483648.0f) return std::numeric_limits<int32_t>::max();
  if (result <= -2147483648.0f) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(result);
}

inline int32_t SaturateAdd(int32_t a, int32_t b) {
  const int64_t sum = static_cast<int64_t>(a) + b;
  return static_cast<int32_t>(std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// mult * (stored - zp), mult as binary32: in binary64 and rounded once.
inline float Dequantise(int64_t stored, const isa::VQuant& q) {
  const double scale = std::bit_cast<float>(q.mult);
  return static_cast<float>(scale * static_cast<double>(stored - q.zp));
}

// round(x / mult) + zp, mult as binary32; not yet clamped to a type.
inline int32_t Quantise(float x, const isa::VQuant& q) {
  return SaturateAdd(RoundAway(x / std::bit_cast<float>(q.mult)), q.zp);
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ARITHMETIC_CONVERSIONS_H_
