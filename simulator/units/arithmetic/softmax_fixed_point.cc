// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/arithmetic/softmax_fixed_point.h"

#include <bit>
#include <limits>

#include "simulator/units/arithmetic/fixed_point.h"

namespace acme {
namespace {

// x * 2^bits, saturated.
int32_t ShiftLeftSaturated(int32_t x, int bits) {
  const int64_t wide = static_cast<int64_t>(x) * (int64_t{1} << bits);
  if (wide > std::numeric_limits<int32_t>::max()) return std::numeric_limits<int32_t>::max();
  if (wide < std::numeric_limits<int32_t>::min()) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(wide);
}

// e^a for -1/4 <= a < 0, all with 31 fraction bits: a Taylor polynomial of degree four around -1/8.
int32_t ExpNearZero(int32_t a) {
  constexpr int32_t kExpOfMinusEighth = 1895147668;
  constexpr int32_t kOneThird = 715827883;
  const int32_t x = WrapAdd(a, 1 << 28);
  const int32_t x2 = HighMulRounded(x, x);
  const int32_t x3 = HighMulRounded(x2, x);
  const int32_t x4 = HighMulRounded(x2, x2);
  const int32_t fourth = ShiftRightRounded(x4, 2);
  const int32_t tail =
      ShiftRightRounded(WrapAdd(HighMulRounded(WrapAdd(fourth, x3), kOneThird), x2), 1);
  return WrapAdd(kExpOfMinusEighth, HighMulRounded(kExpOfMinusEighth, WrapAdd(x, tail)));
}

}  // namespace

int32_t ExpOfNegative(int32_t x_q26) {
  constexpr int kFractionBits = 26;
  constexpr int32_t kQuarter = 1 << (kFractionBits - 2);
  // x = -(remainder) + (something in [-1/4, 0)); the remainder's bits select factors e^-1/4,
  // e^-1/2, ..., e^-16.
  const int32_t near = (x_q26 & (kQuarter - 1)) - kQuarter;
  int32_t result = ExpNearZero(ShiftLeftSaturated(near, 31 - kFractionBits));
  const int32_t remainder = WrapSub(near, x_q26);
  // With 31 fraction bits; 26 - 2 is the bit of 1/4.
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                  39332535,   720401,     242};
  for (int i = 0; i < 7; ++i) {
    if ((remainder & (1 << (kFractionBits - 2 + i))) != 0)
      result = HighMulRounded(result, kFactors[i]);
  }
  return x_q26 == 0 ? std::numeric_limits<int32_t>::max() : result;
}

int32_t ReciprocalOf(int32_t x, int integer_bits, int* num_bits_over_unit) {
  const int headroom = std::countl_zero(static_cast<uint32_t>(x));
  *num_bits_over_unit = integer_bits - headroom;
  // x scaled to [1, 2), less one, with 31 fraction bits.
  const uint32_t scaled = headroom >= 32 ? 0 : static_cast<uint32_t>(x) << headroom;
  const int32_t above_one = static_cast<int32_t>(scaled - (uint32_t{1} << 31));
  // 1 / (1 + a) by Newton's iteration on d = (1 + a) / 2, estimates with 29 fraction bits.
  const int64_t sum = static_cast<int64_t>(above_one) + std::numeric_limits<int32_t>::max();
  const int32_t half_denominator = static_cast<int32_t>((sum + (sum >= 0 ? 1 : -1)) / 2);
  // 48/17 - 32/17 d is the line with the smallest largest error over 1/2 .. 1, 1/17. Each step
  // squares the error: three leave less than 2^-32.
  constexpr int32_t k48Over17 = 1515870810;
  constexpr int32_t kMinus32Over17 = -1010580540;
  int32_t estimate = WrapAdd(k48Over17, HighMulRounded(half_denominator, kMinus32Over17));
  for (int i = 0; i < 3; ++i) {
    const int32_t error = WrapSub(1 << 29, HighMulRounded(half_denominator, estimate));
    estimate = WrapAdd(estimate, ShiftLeftSaturated(HighMulRounded(estimate, error), 2));
  }
  return ShiftLeftSaturated(estimate, 1);
}

}  // namespace acme
