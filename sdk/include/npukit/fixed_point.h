// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The integer arithmetic that every compiler of quantised networks needs, as TFLite's reference
// kernels have it, bit for bit. real = scale * (stored - zero_point).
//
//   // out = in1 * in2 / out, in real numbers: the factor from an accumulator to the output.
//   const auto factor = npukit::ToQuantizedMultiplier(double{in_scale} * weight_scale / out_scale);
//   const npukit::StoredRange range = npukit::ActivationRange(npukit::Activation::kRelu6,
//                                                             out_scale, out_zero_point, -128, 127);
//   int32_t stored = out_zero_point + npukit::RescaleRoundingTwice(accumulator, factor);
//   stored = std::clamp(stored, range.min, range.max);
//
// All functions are pure and thread-safe. Numbers of a stored value's or a multiplier's type may be any;
// extents, strides and ranges must be as the comments say.

#ifndef NPUKIT_FIXED_POINT_H_
#define NPUKIT_FIXED_POINT_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace npukit {

// mantissa * 2^(shift - 31), the mantissa in [2^30, 2^31), or 0.
struct QuantizedMultiplier {
  int32_t mantissa = 0;
  int32_t shift = 0;  // positive: to the left
};

// The nearest such number: mantissa = round(real / 2^shift * 2^31), where real / 2^shift lies in
// [1/2, 1). `real` is finite, not negative, below 2^31; what is below 2^-32 becomes 0.
inline QuantizedMultiplier ToQuantizedMultiplier(double real) {
  if (!(real > 0) || !(real < 2147483648.0)) return {};
  int shift = 0;
  const double fraction = std::frexp(real, &shift);
  auto mantissa = static_cast<int64_t>(std::round(fraction * 2147483648.0));
  if (mantissa == int64_t{1} << 31) {
    mantissa /= 2;
    ++shift;
  }
  QuantizedMultiplier multiplier;
  if (shift < -31) return multiplier;
  multiplier.mantissa = static_cast<int32_t>(mantissa);
  multiplier.shift = shift;
  return multiplier;
}

// round(a * b / 2^31) to the nearest, of two equally near the larger; INT32_MIN squared is INT32_MAX.
inline int32_t RoundingHighProduct(int32_t a, int32_t b) {
  if (a == b && a == std::numeric_limits<int32_t>::min())
    return std::numeric_limits<int32_t>::max();
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

// round(x / 2^exponent) to the nearest, of two equally near the one farther from 0. exponent: 0 to 31.
inline int32_t RoundingDivideByPowerOf2(int32_t x, int exponent) {
  exponent = std::clamp(exponent, 0, 31);
  const int64_t half = exponent == 0 ? 0 : int64_t{1} << (exponent - 1);
  const int64_t wide = x;
  const int64_t magnitude = ((wide < 0 ? -wide : wide) + half) >> exponent;
  return static_cast<int32_t>(wide < 0 ? -magnitude : magnitude);
}

// x * multiplier, rounded to 32 bits after the product and again after the shift to the right, as
// gemmlowp and TFLite's kernels do by default:
//   round(round(x 2^max(shift, 0) * mantissa / 2^31) / 2^max(-shift, 0))
// The shift to the left wraps.
inline int32_t RescaleRoundingTwice(int32_t x, QuantizedMultiplier multiplier) {
  const int left = std::clamp(multiplier.shift, 0, 31);
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(x) << left);
  return RoundingDivideByPowerOf2(RoundingHighProduct(shifted, multiplier.mantissa),
                                  -std::clamp(multiplier.shift, -31, 0));
}

// x * multiplier rounded once, as TFLite does when it is built with TFLITE_SINGLE_ROUNDING and as
// most hardware does; clamped to 32 bits. Differs from the above by one step at most.
//   floor((x * mantissa + 2^(30 - shift)) / 2^(31 - shift)),   shift from -31 to 30
inline int32_t RescaleRoundingOnce(int32_t x, QuantizedMultiplier multiplier) {
  const int right = 31 - std::clamp(multiplier.shift, -31, 30);
  const int64_t product = int64_t{x} * multiplier.mantissa;
  // The last half is added before the shift: below 2^62 + 2^61, so nothing overflows.
  const int64_t rounded = (product + (int64_t{1} << (right - 1))) >> right;
  return static_cast<int32_t>(std::clamp<int64_t>(rounded, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// One dimension of a window that slides over an input.
struct WindowGeometry {
  int64_t out_elems = 0;
  int64_t pad_before_elems = 0;
  int64_t pad_after_elems = 0;
};

// SAME: out = ceil(in / stride); the padding max(0, (out - 1) stride + reach - in) is split, the odd
// element goes behind; reach = (filter - 1) dilation + 1. All arguments are 1 to 2^31.
inline WindowGeometry SamePadding(int64_t in_elems, int64_t filter_elems, int64_t stride,
                                  int64_t dilation = 1) {
  stride = std::max<int64_t>(stride, 1);
  const int64_t reach = (filter_elems - 1) * dilation + 1;
  WindowGeometry window;
  window.out_elems = (in_elems + stride - 1) / stride;
  const int64_t padding = std::max<int64_t>(0, (window.out_elems - 1) * stride + reach - in_elems);
  window.pad_before_elems = padding / 2;
  window.pad_after_elems = padding - padding / 2;
  return window;
}

// VALID: out = ceil((in - reach + 1) / stride), none where the window is larger than the input. All
// arguments are 1 to 2^31.
inline WindowGeometry ValidPadding(int64_t in_elems, int64_t filter_elems, int64_t stride,
                                   int64_t dilation = 1) {
  stride = std::max<int64_t>(stride, 1);
  const int64_t reach = (filter_elems - 1) * dilation + 1;
  WindowGeometry window;
  window.out_elems = in_elems < reach ? 0 : (in_elems - reach) / stride + 1;
  return window;
}

enum class Activation { kNone, kRelu, kReluN1To1, kRelu6 };

struct StoredRange {
  int32_t min = 0;
  int32_t max = 0;
};

// What a fused activation leaves of [type_min, type_max], type_min <= type_max. A real bound r stands at
// zero_point + round(r / scale), halves away from 0. A scale so small that this is no 32-bit number
// leaves the type's end.
inline StoredRange ActivationRange(Activation activation, float scale, int32_t zero_point,
                                   int32_t type_min, int32_t type_max) {
  const auto stored = [&](float real, int32_t otherwise) {
    const float steps = std::round(real / scale);
    if (!(std::fabs(steps) <= 2147483392.0f)) return otherwise;
    const int64_t at = int64_t{zero_point} + static_cast<int64_t>(steps);
    return static_cast<int32_t>(std::clamp<int64_t>(at, type_min, type_max));
  };
  StoredRange range;
  range.min = type_min;
  range.max = type_max;
  if (activation == Activation::kRelu || activation == Activation::kRelu6)
    range.min = stored(0, type_min);
  if (activation == Activation::kReluN1To1) range.min = stored(-1, type_min);
  if (activation == Activation::kReluN1To1) range.max = stored(1, type_max);
  if (activation == Activation::kRelu6) range.max = stored(6, type_max);
  return range;
}

// A function of one 8-bit value as a table, entry i for the stored value T(i), so that a lookup is
// table[uint8_t(x)]. T: int8_t or uint8_t. For real x = in_scale (stored - in_zero_point):
//   clamp(round(function(x) / out_scale) + out_zero_point), in float32, halves away from 0
// NaN becomes 0 steps. function: float to float.
template <typename T, typename Function>
std::array<T, 256> MakeTable(float in_scale, int32_t in_zero_point, float out_scale,
                             int32_t out_zero_point, Function function) {
  static_assert(sizeof(T) == 1, "a table has an entry for each 8-bit value");
  constexpr float kMin = std::numeric_limits<T>::min();
  constexpr float kMax = std::numeric_limits<T>::max();
  // Times the reciprocal, as TFLite's LUTPopulate has it: dividing can give another step.
  const float inverse = 1 / out_scale;
  std::array<T, 256> table = {};
  for (int32_t x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) {
    const float real = in_scale * static_cast<float>(int64_t{x} - in_zero_point);
    const float steps = std::round(function(real) * inverse) + static_cast<float>(out_zero_point);
    const float stored = std::isnan(steps) ? static_cast<float>(out_zero_point) : steps;
    table[static_cast<uint8_t>(x)] = static_cast<T>(std::clamp(stored, kMin, kMax));
  }
  return table;
}

}  // namespace npukit

#endif  // NPUKIT_FIXED_POINT_H_
