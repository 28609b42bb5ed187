// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fused activations on numbers that are not quantised: of kernels and of oracles.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FUSED_ACTIVATION_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FUSED_ACTIVATION_H_

#include <algorithm>
#include <limits>

#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {

// Clamps plain numbers; the ends of integers are their own, and those of activations wrap in them.
template <typename T>
struct PlainRange {
  T min;
  T max;
  explicit PlainRange(FloatRange range)
      : min(range.min == std::numeric_limits<float>::lowest()
                ? std::numeric_limits<T>::lowest()
                : static_cast<T>(static_cast<int64_t>(range.min))),
        max(range.max == std::numeric_limits<float>::max()
                ? std::numeric_limits<T>::max()
                : static_cast<T>(static_cast<int64_t>(range.max))) {}
  // NaN passes through, as in TFLite's min(max(x, lowest), highest) with x first.
  T operator()(T value) const { return std::min(std::max(value, min), max); }
};

// The activation of an oracle's float result. An end that no activation sets is float32's own, as in
// TFLite, where an infinite sum becomes finite; a result that overflows may also be an infinity.
inline Bounded ClampTo(FloatRange range, Bounded x) {
  Bounded clamped = Clamp(x, range.min, range.max);
  const bool open_low = range.min == std::numeric_limits<float>::lowest();
  const bool open_high = range.max == std::numeric_limits<float>::max();
  const bool overflows =
      (open_high && x.high() > kLargestFloat) || (open_low && x.low() < -kLargestFloat);
  if (overflows) clamped.bound = std::numeric_limits<double>::infinity();
  return clamped;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_FUSED_ACTIVATION_H_
