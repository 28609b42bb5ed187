// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fixed-point arithmetic with TFLite's rounding (the double rounding of gemmlowp, as its reference
// kernels are built by default). Sums and shifts that overflow wrap, as they do in TFLite's
// compiled code.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace npukit::kernels {

// A positive real number as mantissa * 2^(shift - 31), mantissa in [2^30, 2^31) or 0.
struct FixedMultiplier {
  int32_t mantissa = 0;
  int32_t shift = 0;  // positive: to the left
  bool operator==(const FixedMultiplier&) const = default;
};

// `real` must be finite and not negative. Below 2^-32 it becomes 0.
inline FixedMultiplier ToFixedMultiplier(double real) {
  if (real == 0.0) return {};
  int shift = 0;
  const double fraction = std::frexp(real, &shift);
  auto mantissa =
      static_cast<int64_t>(std::round(fraction * static_cast<double>(int64_t{1} << 31)));
  if (mantissa == int64_t{1} << 31) {
    mantissa /= 2;
    ++shift;
  }
  if (shift < -31) return {};
  return {.mantissa = static_cast<int32_t>(mantissa), .shift = shift};
}

inline int32_t WrappingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int32_t WrappingSub(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
inline int32_t WrappingMul(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
// Integer arithmetic that wraps instead of overflowing. Not in T's own unsigned type: a narrow one
// would be promoted to int, whose products overflow.
template <typename T, typename Operation>
constexpr T Wrapping(T a, T b, Operation operation) {
  using Unsigned = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
  return static_cast<T>(operation(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
}
// x * 2^bits; bits in [0, 31] (more are taken modulo 32, as the processor does).
inline int32_t WrappingShiftLeft(int32_t x, int bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << (bits & 31));
}

// round(a * b / 2^31), ties away from zero on the upper side only; -2^31 squared saturates.
inline int32_t SaturatingRoundingDoublingHighMul(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  const int64_t product = static_cast<int64_t>(a) * static_cast<int64_t>(b);
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

// x / 2^exponent rounded to nearest, ties away from zero; exponent in [0, 31]. TFLite's DIV and
// RSQRT reach exponents beyond, where C++ leaves the result open: it is then what x86-64 makes of
// the shifts, which look at the exponent's last bits only (0 / 2^38 becomes 1).
inline int32_t RoundingDivideByPowerOfTwo(int32_t x, int exponent) {
  const auto mask = static_cast<int32_t>((uint64_t{1} << (exponent & 63)) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> (exponent & 31)) + (remainder > threshold ? 1 : 0);
}

// x times the multiplier, rounded twice.
inline int32_t MultiplyByFixed(int32_t x, FixedMultiplier multiplier) {
  const int left = multiplier.shift > 0 ? multiplier.shift : 0;
  const int right = multiplier.shift > 0 ? 0 : -multiplier.shift;
  return RoundingDivideByPowerOfTwo(
      SaturatingRoundingDoublingHighMul(WrappingShiftLeft(x, left), multiplier.mantissa), right);
}

// 64-bit accumulators (int16 activations): the mantissa is cut to 16 bits, rounded once. shift
// below 15.
inline int32_t MultiplyByFixed64(int64_t x, FixedMultiplier multiplier) {
  const int32_t mantissa =
      multiplier.mantissa < 0x7FFF0000 ? (multiplier.mantissa + (1 << 15)) >> 16 : 0x7FFF;
  const int right = 15 - multiplier.shift;
  const uint64_t product =
      static_cast<uint64_t>(x) * static_cast<uint64_t>(static_cast<int64_t>(mantissa)) +
      (uint64_t{1} << (right - 1));
  return static_cast<int32_t>(static_cast<int64_t>(product) >> right);
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_H_
