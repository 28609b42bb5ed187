// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What ADD, SUB, MUL and their like share: quantised sums with a common scale, activations on plain
// numbers.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ARITHMETIC_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ARITHMETIC_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {

// a + b or a - b of quantised numbers: both are shifted left by 20 bits (int16: 15) and scaled to
// twice the larger input scale, added, and the sum is scaled to the output. a * b: the product of
// the stored numbers less their zero points is scaled to the output. All in int32 that wraps.
struct QuantizedArithmetic {
  ArithmeticArgs op;
  void (*row)(const ArithmeticArgs& op, const void* a, bool step_a, const void* b, bool step_b,
              int64_t count, void* out);

  template <typename T>
  void RunRow(const T* a, bool step_a, const T* b, bool step_b, int64_t count, T* out) const {
    row(op, a, step_a, b, step_b, count, out);
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
                                                              bool powers_of_two, bool subtract,
                                                              const PrepareOptions& options);

// The same for MUL.
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantizedProduct(const Node& node,
                                                                  ActivationFunctionType activation,
                                                                  const PrepareOptions& options);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_ARITHMETIC_H_
