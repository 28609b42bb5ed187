// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Logistic and tanh of int16 fixed-point numbers, bit for bit as TFLite's quantised LSTM has them
// (gemmlowp's algorithms on 16 bits). Qm below is an int16 with m integer bits and 15 - m fraction
// bits; results are Q0.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT16_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT16_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"

namespace npukit::kernels {

inline int16_t SaturateTo16(int32_t x) {
  return static_cast<int16_t>(std::clamp<int32_t>(x, -32768, 32767));
}

// round(a * b / 2^15), ties away from zero on the upper side only; -2^15 squared saturates.
inline int16_t HighMul16(int16_t a, int16_t b) {
  if (a == b && a == std::numeric_limits<int16_t>::min()) return 32767;
  const int32_t product = int32_t{a} * int32_t{b};
  const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return static_cast<int16_t>((product + nudge) / (1 << 15));
}

// x * 2^bits: saturated, or, for negative bits, rounded.
inline int16_t Rescale16(int16_t x, int bits) {
  if (bits < 0) return static_cast<int16_t>(RoundingDivideByPowerOfTwo(x, -bits));
  return SaturateTo16(int32_t{x} * (1 << bits));
}

// exp of a Q<kIntegerBits> number that is not positive.
template <int kIntegerBits>
int16_t ExpOfNegative16(int16_t a) {
  constexpr int kFractionBits = 15 - kIntegerBits;
  constexpr int16_t kExpOfMinusEighth = 28918;
  constexpr int16_t kOneThird = 10923;
  struct Factor {
    int exponent;  // the factor is exp(-2^exponent)
    int16_t value;
  };
  constexpr std::array<Factor, 7> kFactors = {
      {{-2, 25520}, {-1, 19875}, {0, 12055}, {1, 4435}, {2, 600}, {3, 11}, {4, 0}}};
  if (a == 0) return 32767;
  if (kIntegerBits > 5 && a < -(1 << std::min(14, 20 - kIntegerBits))) return 0;  // below -32
  constexpr int kQuarterShift = std::max(0, kFractionBits - 2);
  constexpr auto kQuarter = static_cast<int16_t>(1 << kQuarterShift);
  const auto within = static_cast<int16_t>((a & (kQuarter - 1)) - kQuarter);
  const auto x = static_cast<int16_t>(Rescale16(within, kIntegerBits) + (1 << 12));  // + 1/8
  const int16_t x2 = HighMul16(x, x);
  const int16_t x3 = HighMul16(x2, x);
  const int16_t x4_over_4 = Rescale16(HighMul16(x2, x2), -2);
  const auto cubic = HighMul16(static_cast<int16_t>(x4_over_4 + x3), kOneThird);
  const int16_t tail = Rescale16(static_cast<int16_t>(cubic + x2), -1);
  int16_t result = SaturateTo16(int32_t{kExpOfMinusEighth} +
                                HighMul16(kExpOfMinusEighth, static_cast<int16_t>(x + tail)));
  const auto remainder = static_cast<int16_t>(within - a);
  for (const Factor& factor : kFactors) {
    if (kIntegerBits <= factor.exponent) continue;
    if ((remainder & (1 << (kFractionBits + factor.exponent))) != 0)
      result = HighMul16(result, factor.value);
  }
  return result;
}

// 2 / (1 + a) of a Q0 number in [0, 1], as Q2: three Newton steps.
inline int16_t TwoOverOnePlus16(int16_t a) {
  constexpr int16_t k48Over17 = 23130;
  constexpr int16_t kMinus32Over17 = -15420;
  constexpr int16_t kOneInQ2 = 1 << 13;
  const int32_t sum = int32_t{a} + 32767;
  const auto half_denominator = static_cast<int16_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  auto x = static_cast<int16_t>(k48Over17 + HighMul16(half_denominator, kMinus32Over17));
  for (int i = 0; i < 3; ++i) {
    const auto error = static_cast<int16_t>(kOneInQ2 - HighMul16(half_denominator, x));
    x = static_cast<int16_t>(x + Rescale16(HighMul16(x, error), 2));
  }
  return x;
}

template <int kIntegerBits>
int16_t Logistic16(int16_t a) {
  if (a == 0) return 1 << 14;
  const auto negative = static_cast<int16_t>(a > 0 ? -a : a);
  const int16_t upper = Rescale16(TwoOverOnePlus16(ExpOfNegative16<kIntegerBits>(negative)), 1);
  return a > 0 ? upper : static_cast<int16_t>(32767 - upper);
}

template <int kIntegerBits>
int16_t Tanh16(int16_t a) {
  if (a == 0) return 0;
  const auto negative = static_cast<int16_t>(a > 0 ? -a : a);
  const int16_t exp = ExpOfNegative16<kIntegerBits + 1>(negative);  // of twice the number
  const int16_t t = Rescale16(static_cast<int16_t>(TwoOverOnePlus16(exp) - (1 << 13)), 2);
  return static_cast<int16_t>(a < 0 ? -t : t);
}

// The integer bits from 0 to 6; TFLite leaves the result alone for others.
inline bool Tanh16Of(int integer_bits, int16_t a, int16_t& result) {
  switch (integer_bits) {
    case 0:
      result = Tanh16<0>(a);
      return true;
    case 1:
      result = Tanh16<1>(a);
      return true;
    case 2:
      result = Tanh16<2>(a);
      return true;
    case 3:
      result = Tanh16<3>(a);
      return true;
    case 4:
      result = Tanh16<4>(a);
      return true;
    case 5:
      result = Tanh16<5>(a);
      return true;
    case 6:
      result = Tanh16<6>(a);
      return true;
    default:
      return false;
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT16_H_
