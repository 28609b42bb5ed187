// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions of two elements that windows and scattered updates are combined by.

#ifndef NPUKIT_SDK_HOST_KERNELS_REDUCTION_COMBINATION_H_
#define NPUKIT_SDK_HOST_KERNELS_REDUCTION_COMBINATION_H_

#include <functional>
#include <type_traits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// Integers wrap; where one of two is NaN, the extremes give b. kAll and kAny give 0 or 1.
template <typename T>
T Combine(ReduceWindowFunction function, T a, T b) {
  constexpr bool kWraps = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  switch (function) {
    case ReduceWindowFunction::kAdd:
      if constexpr (kWraps) return Wrapping(a, b, std::plus<>());
      return static_cast<T>(a + b);
    case ReduceWindowFunction::kMul:
      if constexpr (kWraps) return Wrapping(a, b, std::multiplies<>());
      return static_cast<T>(a * b);
    case ReduceWindowFunction::kMinimum:
      return a <= b ? a : b;
    case ReduceWindowFunction::kAll:
      return static_cast<T>(a != T{} && b != T{});
    case ReduceWindowFunction::kAny:
      return static_cast<T>(a != T{} || b != T{});
    default:
      return a >= b ? a : b;
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_REDUCTION_COMBINATION_H_
