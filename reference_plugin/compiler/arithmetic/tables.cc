// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace acme::compiler {
namespace {

void Append(int32_t value, int64_t bytes, std::vector<uint8_t>& out) {
  for (int64_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * i)));
}

int32_t ShiftLeft(int32_t x, int bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << (bits & 31));
}

int32_t SaturatingShiftLeft(int32_t x, int bits) {
  return static_cast<int32_t>(std::clamp<int64_t>(int64_t{x} * (int64_t{1} << bits),
                                                  std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

int32_t WrappingSub(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}

}  // namespace

int32_t CutToInt32(double value) {
  if (!(value > -2147483649.0 && value < 2147483648.0)) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(value);
}

int32_t WrappingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

int32_t RoundingShiftRight(int32_t x, int exponent) {
  const auto mask = static_cast<int32_t>((uint64_t{1} << (exponent & 63)) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> (exponent & 31)) + (remainder > threshold ? 1 : 0);
}

int32_t RoundingHighMul(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

int32_t MultiplyByFixedPoint(int32_t x, const FixedPoint& scale) {
  const int left = std::max(scale.shift, 0);
  const int right = std::max(-scale.shift, 0);
  return RoundingShiftRight(RoundingHighMul(ShiftLeft(x, left), scale.mult), right);
}

std::vector<uint8_t> ByteTable(Dtype in, Dtype out, const std::function<int32_t(int32_t)>& entry) {
  const ClampRange from = TypeRange(in);
  const ClampRange to = TypeRange(out);
  std::vector<uint8_t> bytes;
  for (int32_t x = from.lo; x <= from.hi; ++x)
    Append(std::clamp(entry(x), to.lo, to.hi), SizeBytes(out), bytes);
  return bytes;
}

std::vector<uint8_t> RealByteTable(Dtype dtype, const Affine& in, const Affine& out,
                                   const std::function<float(float)>& function) {
  // LUTPopulate multiplies by the inverse; a division would round some entries otherwise.
  const float inverse = 1 / out.scale;
  return ByteTable(dtype, dtype, [&](int32_t x) {
    const float real = in.scale * static_cast<float>(x - in.zero_point);
    const float steps = std::round(function(real) * inverse);
    return CutToInt32(steps + static_cast<float>(out.zero_point));
  });
}

template <class Real>
std::vector<uint8_t> InterpolatedTable(Real in_scale, int32_t in_zero_point, Real out_scale,
                                       int32_t out_zero_point,
                                       const std::function<Real(Real)>& function) {
  constexpr int kPieces = 512;
  constexpr Real kLowest = -32768;
  constexpr Real kHighest = 32767;
  const Real in_min = in_scale * static_cast<Real>(-32768 - in_zero_point);
  const Real in_max = in_scale * static_cast<Real>(32767 - in_zero_point);
  const Real out_min = out_scale * static_cast<Real>(-32768 - out_zero_point);
  const Real out_max = out_scale * static_cast<Real>(32767 - out_zero_point);
  const Real step = (in_max - in_min) / kPieces;
  const Real half_step = step / 2;
  // 65536, though the range has 65535 steps, and below `next` enters unrounded where `value` is
  // rounded: all of it is LUTPopulate's, and any other order would change some entries.
  const Real inverse = static_cast<Real>(65536) / (out_max - out_min);
  const auto append = [&](Real value, std::vector<uint8_t>& bytes) {
    Append(static_cast<int16_t>(std::min(std::max(value, kLowest), kHighest)), 2, bytes);
  };
  std::vector<uint8_t> bytes;
  for (int i = 0; i < kPieces; ++i) {
    const auto at = static_cast<Real>(i);
    const Real value = function(in_min + at * step);
    const Real middle = function(in_min + at * step + half_step);
    const Real next = function(in_min + (at + 1) * step);
    const Real sample = std::round(value * inverse);
    // Half of what the straight line is off in the middle.
    const Real line = std::round((next * inverse + std::round(value * inverse)) / 2);
    append(sample - std::round((line - std::round(middle * inverse)) / 2), bytes);
  }
  append(std::round(function(in_max) * inverse), bytes);
  return bytes;
}

template std::vector<uint8_t> InterpolatedTable(float, int32_t, float, int32_t,
                                                const std::function<float(float)>&);
template std::vector<uint8_t> InterpolatedTable(double, int32_t, double, int32_t,
                                                const std::function<double(double)>&);

// GetInvSqrtQuantizedMultiplierExp of TFLite, step by step, so that its rounding is the same.
// Numbers have 3 integer bits (1.0 is 2^28) but for the last factor, which has none.
FixedPoint InverseSqrt(int32_t x) {
  if (x <= 1) return {std::numeric_limits<int32_t>::max(), 0};
  constexpr int32_t kRootOfHalf = 1518500250;
  constexpr int32_t kThreeHalves = (1 << 28) + (1 << 27);  // 3 integer bits
  // For x within [2^27, 2^29), which is what the shifts by pairs of bits make of it: as raw number
  // x / 2 is x * 2^-29, the root of its inverse 2^14.5 / sqrt(x), times sqrt(1/2) 2^14 / sqrt(x),
  // raw 2^42 / sqrt(x); as a fraction of 31 bits that is 2^11 / sqrt(x).
  int right = 11;
  while (x >= 1 << 29) {
    x /= 4;
    ++right;
  }
  const int pairs = (std::countl_zero(static_cast<uint32_t>(x)) - 1) / 2 - 1;
  right -= pairs;
  x = ShiftLeft(x, 2 * pairs);
  const int32_t half = RoundingShiftRight(x >> 1, 1);
  int32_t root = 1 << 28;
  // root <- root * (3 - x root^2) / 2. Three factors of 3 integer bits make 9, two make 6: shifted
  // left by 6 and by 3 they have 3 again.
  for (int i = 0; i < 5; ++i) {
    const int32_t cube = SaturatingShiftLeft(RoundingHighMul(RoundingHighMul(root, root), root), 6);
    root = SaturatingShiftLeft(
        WrappingSub(RoundingHighMul(kThreeHalves, root), RoundingHighMul(half, cube)), 3);
  }
  int32_t mult = RoundingHighMul(root, kRootOfHalf);
  if (right < 0) {
    mult = ShiftLeft(mult, -right);
    right = 0;
  }
  return {mult, -right};
}

}  // namespace acme::compiler
