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
#include "sdk/host/kernels/hot/hot_kernels.h"
#include "sdk/host/kernels/quantization_rules.h"

namespace npukit::kernels {

// a + b or a - b of quantised numbers: both are shifted left by 20 bits (int16: 15) and scaled to
// twice the larger input scale, added, and the sum is scaled to the output. a * b: the product of
// the stored numbers less their zero points is scaled to the output. All in int32 that wraps.
struct QuantizedArithmetic {
  HotArithmetic op;
  void (*row)(const HotArithmetic& op, const void* a, bool step_a, const void* b, bool step_b,
              int64_t count, void* out);

  template <typename T>
  void RunRow(const T* a, bool step_a, const T* b, bool step_b, int64_t count, T* out) const {
    row(op, a, step_a, b, step_b, count, out);
  }
};

// A checked multiplier for the hot loops.
inline HotScale ToHotScale(FixedMultiplier scale) {
  return {.mantissa = scale.mantissa,
          .left = std::max(scale.shift, 0),
          .right = std::max(-scale.shift, 0)};
}

// Which of the hot loops' types a quantised type is.
HotRequantization::Out HotTypeOf(LiteRtElementType type);

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
                                                              bool powers_of_two, bool subtract,
                                                              const PrepareOptions& options);

// The same for MUL.
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedProduct(const Node& node,
                                                                  ActivationFunctionType activation,
                                                                  const PrepareOptions& options);

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

// Integer arithmetic that wraps instead of overflowing. Not in T's own unsigned type: a narrow one
// would be promoted to int, whose products overflow.
template <typename T, typename Operation>
constexpr T Wrapping(T a, T b, Operation operation) {
  using Unsigned = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
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
