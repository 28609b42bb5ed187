// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TFLite's fixed-point arithmetic, bit for bit. A multiplier is a Q0.31 fraction, a shift a power
// of two to the left.

#ifndef NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FIXED_POINT_H_
#define NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FIXED_POINT_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simulator/isa/types.h"

namespace acme {

// Two's complement, without undefined behaviour.
inline int32_t WrapAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int32_t WrapSub(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

inline int32_t WrapMul(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

// round(a * b / 2^31), halves upwards; the one product that does not fit saturates.
inline int32_t HighMulRounded(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  const int64_t product = static_cast<int64_t>(a) * b;
  return static_cast<int32_t>((product + (int64_t{1} << 30)) >> 31);
}

// x / 2^exponent, rounded half away from zero; exponent 0 .. 31.
inline int32_t ShiftRightRounded(int32_t x, int exponent) {
  const int64_t mask = (int64_t{1} << exponent) - 1;
  const int64_t remainder = x & mask;
  const int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

// x * 2^shift modulo 2^32.
inline int32_t ShiftLeftWrapped(int32_t x, int shift) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << shift);
}

inline int32_t MultiplyDouble(int32_t x, int32_t multiplier, int shift) {
  const int left = shift > 0 ? shift : 0;
  const int right = shift > 0 ? 0 : -shift;
  return ShiftRightRounded(HighMulRounded(ShiftLeftWrapped(x, left), multiplier), right);
}

inline int32_t MultiplySingle(int32_t x, int32_t multiplier, int shift) {
  const int total = 31 - shift;
  const int64_t round = int64_t{1} << (total - 1);
  return static_cast<int32_t>((static_cast<int64_t>(x) * multiplier + round) >> total);
}

// What TFLite does with 64-bit sums: the multiplier is rounded to 16 bits. Shifts above 7 are taken
// as 7.
inline int32_t MultiplyWide(int64_t x, int32_t multiplier, int shift) {
  const int32_t reduced = multiplier < 0x7FFF0000 ? (multiplier + (1 << 15)) >> 16 : 0x7FFF;
  const int total = 15 - std::min(shift, 7);
  const uint64_t product =
      static_cast<uint64_t>(x) * static_cast<uint64_t>(static_cast<int64_t>(reduced));
  return static_cast<int32_t>(static_cast<int64_t>(product + (uint64_t{1} << (total - 1))) >>
                              total);
}

// What TFLite does in float64: the product is rounded to binary64, then to an integer, half away
// from zero. What int32 does not hold is its least, as x86's conversion gives.
inline int32_t MultiplyReal(int64_t x, double scale) {
  const double value = std::round(static_cast<double>(x) * scale);
  if (!(value > -2147483649.0 && value < 2147483648.0)) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(value);
}

// The four above by mode. 32-bit modes take the low 32 bits of x.
inline int32_t MultiplyByQuantizedMultiplier(int64_t x, int32_t multiplier, int shift,
                                             Rounding rounding) {
  shift = std::clamp(shift, -31, 30);
  switch (rounding) {
    case Rounding::kSingle:
      return MultiplySingle(static_cast<int32_t>(x), multiplier, shift);
    case Rounding::kWide:
      return MultiplyWide(x, multiplier, shift);
    case Rounding::kReal:
      return MultiplyReal(x, std::ldexp(static_cast<double>(multiplier), shift - 31));
    case Rounding::kDouble:
      break;
  }
  return MultiplyDouble(static_cast<int32_t>(x), multiplier, shift);
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_ARITHMETIC_FIXED_POINT_H_
