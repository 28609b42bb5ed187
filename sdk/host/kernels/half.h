// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The 16-bit float formats as bit patterns, for storage. Conversions to them
// round to nearest, ties to even.

#ifndef NPUKIT_SDK_HOST_KERNELS_HALF_H_
#define NPUKIT_SDK_HOST_KERNELS_HALF_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace npukit::kernels {

// IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits. Exact.
inline float HalfToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1Fu;
  const uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

inline uint16_t FloatToHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;   // NaN
  if (magnitude >= 0x477FF000u) return sign | 0x7C00u;  // rounds to 65536 or is infinite
  if (magnitude < 0x38800000u) {  // below the smallest normal, 2^-14: multiples of 2^-24
    return sign | static_cast<uint16_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24f));
  }
  const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
  return sign | static_cast<uint16_t>((rounded - 0x38000000u) >> 13);
}

// bfloat16: the upper half of a float32.
inline float BFloat16ToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t FloatToBFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

// One element of either as a kernel holds it; arithmetic is float32's.
struct Float16 {
  uint16_t bits = 0;
  static Float16 Of(float value) { return {FloatToHalf(value)}; }
  operator float() const { return HalfToFloat(bits); }  // NOLINT(google-explicit-constructor)
};
struct BFloat16 {
  uint16_t bits = 0;
  static BFloat16 Of(float value) { return {FloatToBFloat16(value)}; }
  operator float() const { return BFloat16ToFloat(bits); }  // NOLINT(google-explicit-constructor)
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_HALF_H_
