// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// float16, which the NPU does not compute with.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_

#include <cmath>
#include <cstdint>

namespace acme::compiler {

// Exact: each float16 is a float32.
inline float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 0x1F;
  const int fraction = half & 0x3FF;
  float magnitude = 0;
  if (exponent == 0x1F) {
    magnitude = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_
