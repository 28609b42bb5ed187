// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// exp, 1/x and interpolated tables in fixed point, bit for bit as TFLite's integer kernels have
// them (gemmlowp's polynomials). Qm.n below is an int32 with m integer bits and 31 - m fraction
// bits.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_FUNCTIONS_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_FUNCTIONS_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"

namespace npukit::kernels {

// x * 2^bits, saturated.
inline int32_t SaturatingShiftLeft(int32_t x, int bits) {
  const int64_t wide = static_cast<int64_t>(x) << bits;
  return static_cast<int32_t>(std::clamp<int64_t>(wide, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// exp of a Q0 number in [-1/4, 0), as Q0: a Taylor series around -1/8.
inline int32_t ExpNearZero(int32_t a) {
  constexpr int32_t kExpOfMinusEighth = 1895147668;
  constexpr int32_t kOneThird = 715827883;
  const int32_t x = WrappingAdd(a, 1 << 28);
  const int32_t x2 = SaturatingRoundingDoublingHighMul(x, x);
  const int32_t x3 = SaturatingRoundingDoublingHighMul(x2, x);
  const int32_t x4 = SaturatingRoundingDoublingHighMul(x2, x2);
  const int32_t x4_over_4 = RoundingDivideByPowerOfTwo(x4, 2);
  const int32_t cubic = SaturatingRoundingDoublingHighMul(WrappingAdd(x4_over_4, x3), kOneThird);
  const int32_t tail = RoundingDivideByPowerOfTwo(WrappingAdd(cubic, x2), 1);
  return WrappingAdd(kExpOfMinusEighth,
                     SaturatingRoundingDoublingHighMul(kExpOfMinusEighth, WrappingAdd(x, tail)));
}

// exp of a negative Q<kIntegerBits> number (at most 5 integer bits), as Q0: the remainder's quarter
// bits select factors.
template <int kIntegerBits>
int32_t ExpOfNegative(int32_t a) {
  constexpr int kFractionBits = 31 - kIntegerBits;
  constexpr int32_t kQuarter = 1 << (kFractionBits - 2);
  struct Factor {
    int exponent;  // the factor is exp(-2^exponent)
    int32_t value;
  };
  constexpr std::array<Factor, 7> kFactors = {{{-2, 1672461947},
                                               {-1, 1302514674},
                                               {0, 790015084},
                                               {1, 290630308},
                                               {2, 39332535},
                                               {3, 720401},
                                               {4, 242}}};
  if (a == 0) return std::numeric_limits<int32_t>::max();
  const int32_t within = (a & (kQuarter - 1)) - kQuarter;
  int32_t result = ExpNearZero(SaturatingShiftLeft(within, kIntegerBits));
  const int32_t remainder = WrappingSub(within, a);
  for (const Factor& factor : kFactors) {
    if (kIntegerBits <= factor.exponent) continue;
    if ((remainder & (1 << (kFractionBits + factor.exponent))) != 0) {
      result = SaturatingRoundingDoublingHighMul(result, factor.value);
    }
  }
  return result;
}

// 1 / (1 + x) of a Q0 number in [0, 1], as Q0: three Newton steps in Q2.
inline int32_t OneOverOnePlus(int32_t a) {
  // Newton-Raphson division of d in [1/2, 1]: 48/17 - 32/17 d is the start.
  constexpr int32_t k48Over17 = 1515870810;
  constexpr int32_t kMinus32Over17 = -1010580540;
  constexpr int32_t kOneInQ2 = 1 << 29;
  const int64_t sum = static_cast<int64_t>(a) + std::numeric_limits<int32_t>::max();
  const auto half_denominator = static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  int32_t x =
      WrappingAdd(k48Over17, SaturatingRoundingDoublingHighMul(half_denominator, kMinus32Over17));
  for (int i = 0; i < 3; ++i) {
    const int32_t product = SaturatingRoundingDoublingHighMul(half_denominator, x);
    const int32_t error = SaturatingRoundingDoublingHighMul(x, WrappingSub(kOneInQ2, product));
    x = WrappingAdd(x, SaturatingShiftLeft(error, 2));
  }
  return SaturatingShiftLeft(x, 1);
}

// 1 / x for a positive number with `integer_bits` integer bits: a Q0 mantissa and how many bits x
// lies above 1.
struct Reciprocal {
  int32_t mantissa = 0;
  int bits_over_unit = 0;
};
inline Reciprocal ReciprocalOf(int32_t x, int integer_bits) {
  const int headroom = std::countl_zero(static_cast<uint32_t>(x));
  const uint32_t shifted = (static_cast<uint32_t>(x) << (headroom & 31)) - (uint32_t{1} << 31);
  return {.mantissa = OneOverOnePlus(static_cast<int32_t>(shifted)),
          .bits_over_unit = integer_bits - headroom};
}

// x * 2^bits, saturated; negative bits divide, rounded.
inline int32_t SaturatingShift(int32_t x, int bits) {
  return bits >= 0 ? SaturatingShiftLeft(x, bits) : RoundingDivideByPowerOfTwo(x, -bits);
}

inline int32_t SaturatingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(std::clamp<int64_t>(static_cast<int64_t>(a) + b,
                                                  std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// log of a number >= 1 with kIn integer bits, with kOut integer bits: a rational approximation
// around 2^(-1/4), with the power of two taken off so that the rest lies near it.
template <int kOut, int kIn>
int32_t LogOfAtLeastOne(int32_t x) {
  constexpr int kSumBits = kOut + 1;
  constexpr int32_t kLog2 = 1488522236;
  constexpr int32_t kFourthRootOfHalf = 1805811301;
  constexpr int32_t kRootOfHalf = 1518500250;
  constexpr int32_t kAlphaN = 117049297;
  constexpr int32_t kAlphaD = 127690142;
  constexpr int32_t kAlphaI = 1057819769;
  constexpr int32_t kAlphaF = 638450708;
  auto mul = SaturatingRoundingDoublingHighMul;
  const int32_t quarter = RoundingDivideByPowerOfTwo(1 << 29, kSumBits);

  const int headroom_a = std::countl_zero(static_cast<uint32_t>(x));
  const int32_t r_a = SaturatingShift(mul(SaturatingShift(x, headroom_a - 1), kRootOfHalf), 1);
  const int32_t power_a = SaturatingAdd(SaturatingShift(kIn - headroom_a, 31 - kSumBits), quarter);
  const int headroom_b = std::countl_zero(static_cast<uint32_t>(mul(x, kRootOfHalf))) - 1;
  const int32_t r_b = SaturatingShift(x, headroom_b);
  const int32_t power_b = SaturatingAdd(SaturatingShift(kIn - headroom_b, 31 - kSumBits), -quarter);
  const int32_t r = std::min(r_a, r_b);
  const int32_t power = std::max(power_a, power_b);

  const int64_t sum = static_cast<int64_t>(r) + kFourthRootOfHalf;
  const auto p = static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  const int32_t q = WrappingMul(WrappingSub(r, kFourthRootOfHalf), 2);
  const int32_t square = mul(q, q);
  const int32_t numerator = WrappingAdd(mul(q, r), mul(mul(q, square), kAlphaN));
  const int32_t inner = WrappingAdd(WrappingAdd(kAlphaI, q), mul(kAlphaD, square));
  const int32_t denominator = WrappingAdd(mul(p, inner), mul(kAlphaF, q));
  const int32_t scaled = RoundingDivideByPowerOfTwo(numerator, kSumBits);
  const int32_t result = WrappingAdd(mul(power, kLog2), mul(scaled, OneOverOnePlus(denominator)));
  return SaturatingShiftLeft(result, kSumBits - kOut);
}

// 1 / sqrt(x) of a non-negative integer; 0 and 1 give just below 1. Five Newton steps in Q3.
inline FixedMultiplier InverseSqrt(int32_t x) {
  if (x <= 1) return {.mantissa = std::numeric_limits<int32_t>::max(), .shift = 0};
  constexpr int32_t kRootOfHalf = 1518500250;
  constexpr int32_t kThreeHalves = (1 << 28) + (1 << 27);  // Q3
  int right = 11;
  while (x >= 1 << 29) {
    x /= 4;
    ++right;
  }
  const int pairs = (std::countl_zero(static_cast<uint32_t>(x)) - 1) / 2 - 1;
  right -= pairs;
  x = static_cast<int32_t>(static_cast<uint32_t>(x) << (2 * pairs));
  auto mul = SaturatingRoundingDoublingHighMul;
  const int32_t half = RoundingDivideByPowerOfTwo(x >> 1, 1);
  int32_t root = 1 << 28;  // 1 in Q3
  for (int i = 0; i < 5; ++i) {
    const int32_t cube = SaturatingShiftLeft(mul(mul(root, root), root), 6);  // Q9 to Q3
    root =
        SaturatingShiftLeft(WrappingSub(mul(kThreeHalves, root), mul(half, cube)), 3);  // Q6 to Q3
  }
  int32_t mantissa = mul(root, kRootOfHalf);
  if (right < 0) {
    mantissa = static_cast<int32_t>(static_cast<uint32_t>(mantissa) << -right);
    right = 0;
  }
  return {.mantissa = mantissa, .shift = -right};
}

// int16 to int16 by 512 linear pieces.
class InterpolatedTable {
 public:
  InterpolatedTable() = default;

  // Samples function(real) over the input's range; Real is the type that the samples are computed
  // in.
  template <typename Real, typename Function>
  InterpolatedTable(Real in_scale, int32_t in_zero_point, Real out_scale, int32_t out_zero_point,
                    Function function) {
    constexpr Real kLowest = -32768;
    constexpr Real kHighest = 32767;
    const Real in_min = in_scale * static_cast<Real>(-32768 - in_zero_point);
    const Real in_max = in_scale * static_cast<Real>(32767 - in_zero_point);
    const Real out_min = out_scale * static_cast<Real>(-32768 - out_zero_point);
    const Real out_max = out_scale * static_cast<Real>(32767 - out_zero_point);
    const Real step = (in_max - in_min) / kPieces;
    const Real half_step = step / 2;
    const Real inverse = static_cast<Real>(65536) / (out_max - out_min);
    for (int i = 0; i < kPieces; ++i) {
      const auto at = static_cast<Real>(i);
      const Real value = function(in_min + at * step);
      const Real middle = function(in_min + at * step + half_step);
      const Real next = function(in_min + (at + 1) * step);
      const Real sample = std::round(value * inverse);
      const Real interpolated = std::round((next * inverse + std::round(value * inverse)) / 2);
      // Half of what a straight line is off in the middle of the piece: moved by it, the table errs
      // to both sides.
      const Real bias = std::round((interpolated - std::round(middle * inverse)) / 2);
      values_[i] = static_cast<int16_t>(std::min(std::max(sample - bias, kLowest), kHighest));
    }
    values_[kPieces] = static_cast<int16_t>(
        std::min(std::max(std::round(function(in_max) * inverse), kLowest), kHighest));
  }

  int16_t operator()(int16_t x) const {
    const int piece = 256 + (x >> 7);
    const auto slope = static_cast<int16_t>(values_[piece + 1] - values_[piece]);
    return static_cast<int16_t>(values_[piece] + ((slope * (x & 0x7F) + 64) >> 7));
  }

 private:
  static constexpr int kPieces = 512;
  std::array<int16_t, kPieces + 1> values_ = {};
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FIXED_POINT_FUNCTIONS_H_
