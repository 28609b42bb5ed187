// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What ADD, SUB, MUL and their like share: quantised sums with a common scale, activations on plain
// numbers.

#ifndef NPUKIT_SDK_HOST_KERNELS_ARITHMETIC_H_
#define NPUKIT_SDK_HOST_KERNELS_ARITHMETIC_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sdk/host/kernels/elementwise.h"
#include "sdk/host/kernels/fixed_point.h"
#include "sdk/host/kernels/quantization_rules.h"

namespace npukit::kernels {

// a + b or a - b of quantised numbers: both are shifted left and scaled to twice the larger input
// scale, added, and the sum is scaled to the output. All in int32.
struct QuantizedSum {
  int32_t zero_point_a = 0;
  int32_t zero_point_b = 0;
  int32_t zero_point_out = 0;
  int left_shift = 20;
  FixedMultiplier scale_a;
  FixedMultiplier scale_b;
  FixedMultiplier scale_out;
  IntegerRange range;
  bool subtract = false;

  template <typename T>
  T operator()(T a, T b) const {
    const int32_t from_a = MultiplyByFixed((a - zero_point_a) * (1 << left_shift), scale_a);
    const int32_t from_b = MultiplyByFixed((b - zero_point_b) * (1 << left_shift), scale_b);
    const int32_t sum = subtract ? WrappingSub(from_a, from_b) : WrappingAdd(from_a, from_b);
    const int32_t out = WrappingAdd(MultiplyByFixed(sum, scale_out), zero_point_out);
    return static_cast<T>(std::clamp(out, range.min, range.max));
  }
};

// int16 with scales that are powers of two: one input is shifted to the output's scale and added
// with saturation. Of the two shifts one is 0.
struct PowerOfTwoSum {
  int right_shift_a = 0;
  int right_shift_b = 0;
  IntegerRange range;
  bool subtract = false;

  int16_t operator()(int16_t a, int16_t b) const {
    const int32_t from_a = RoundingDivideByPowerOfTwo(a, right_shift_a);
    const int32_t from_b = RoundingDivideByPowerOfTwo(b, right_shift_b);
    const int32_t sum = std::clamp(subtract ? from_a - from_b : from_a + from_b, -32768, 32767);
    return static_cast<int16_t>(std::clamp(sum, range.min, range.max));
  }
};

// Prepares ADD (subtract false) or SUB for int8, uint8 and quantised int16. `powers_of_two` as the
// options say.
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedSum(const Node& node,
                                                              ActivationFunctionType activation,
                                                              bool powers_of_two, bool subtract);

// Clamps plain numbers; the ends of int32 and int64 are their own.
template <typename T>
struct PlainRange {
  T min;
  T max;
  explicit PlainRange(FloatRange range)
      : min(range.min == std::numeric_limits<float>::lowest() ? std::numeric_limits<T>::lowest()
                                                              : static_cast<T>(range.min)),
        max(range.max == std::numeric_limits<float>::max() ? std::numeric_limits<T>::max()
                                                           : static_cast<T>(range.max)) {}
  // NaN passes through, as in TFLite's min(max(x, lowest), highest) with x first.
  T operator()(T value) const { return std::min(std::max(value, min), max); }
};

// Integer arithmetic that wraps instead of overflowing.
template <typename T, typename Operation>
T Wrapping(T a, T b, Operation operation) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(operation(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
}

// The activation of an oracle's float result.
inline Bounded ClampTo(FloatRange range, Bounded x) {
  const bool open_low = range.min == std::numeric_limits<float>::lowest();
  const bool open_high = range.max == std::numeric_limits<float>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return Clamp(x, open_low ? -kInfinity : range.min, open_high ? kInfinity : range.max);
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ARITHMETIC_H_
