// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// float16, which the NPU does not compute with.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_

#include <bit>
#include <cstdint>

namespace acme::compiler {

// Exact: each float16 is a float32. Large networks store millions of them.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31;
  const uint32_t exponent = half >> 10 & 0x1F;
  const uint32_t fraction = half & 0x3FF;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  constexpr uint32_t kBiasDifference = 127 - 15;
  const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + kBiasDifference;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_ARITHMETIC_HALF_H_
