// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/arithmetic/fixed_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace acme::compiler {

FixedPoint QuantizeMultiplier(double real) {
  if (!(real > 0.0)) return {};
  FixedPoint result;
  const double fraction = std::frexp(real, &result.shift);
  int64_t mult = std::llround(fraction * static_cast<double>(int64_t{1} << 31));
  // A fraction just below 1 was rounded up to it, which 31 bits do not hold.
  if (mult == int64_t{1} << 31) {
    mult /= 2;
    ++result.shift;
  }
  if (result.shift < -31) return {};  // every bit would be shifted out
  result.mult = static_cast<int32_t>(mult);
  return result;
}

ClampRange TypeRange(Dtype dtype) {
  switch (dtype) {
    case Dtype::kI8:
      return {-128, 127};
    case Dtype::kU8:
      return {0, 255};
    case Dtype::kBool:
      return {0, 1};
    case Dtype::kI16:
      return {-32768, 32767};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

ClampRange ActivationRange(Activation activation, Dtype dtype, float scale, int32_t zero_point) {
  const ClampRange type = TypeRange(dtype);
  // TFLite rounds the limit in float and adds the zero point.
  const auto steps = [&](float limit) {
    // A tiny scale makes a quotient that int32 does not hold. What it is cut to lies beyond every
    // limit of 8 and 16 bits, and leaves room for the zero point.
    const float rounded = std::round(limit / scale);
    constexpr float kLow = -0x1p30f;
    constexpr float kHigh = 0x1p30f;
    return zero_point + static_cast<int32_t>(std::clamp(rounded, kLow, kHigh));
  };
  switch (activation) {
    case Activation::kNone:
      return type;
    case Activation::kRelu:
      return {std::max(type.lo, steps(0.0f)), type.hi};
    case Activation::kReluN1To1:
      return {std::max(type.lo, steps(-1.0f)), std::min(type.hi, steps(1.0f))};
    case Activation::kRelu6:
      return {std::max(type.lo, steps(0.0f)), std::min(type.hi, steps(6.0f))};
  }
  return type;
}

// Without an activation TFLite's kernels clamp to the largest finite numbers, here infinities stay:
// docs/tolerances.md takes either.
ClampRange FloatActivationRange(Activation activation) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto range = [](float lo, float hi) {
    return ClampRange{std::bit_cast<int32_t>(lo), std::bit_cast<int32_t>(hi)};
  };
  switch (activation) {
    case Activation::kNone:
      return range(-kInfinity, kInfinity);
    case Activation::kRelu:
      return range(0.0f, kInfinity);
    case Activation::kReluN1To1:
      return range(-1.0f, 1.0f);
    case Activation::kRelu6:
      return range(0.0f, 6.0f);
  }
  return range(-kInfinity, kInfinity);
}

ClampRange OpenRange(Dtype dtype) {
  return dtype == Dtype::kF32 ? FloatActivationRange(Activation::kNone) : TypeRange(dtype);
}

std::string ToString(const FixedPoint& value) {
  return fmt::format("{}p{}", value.mult, value.shift);
}

std::string ToString(const ClampRange& range) {
  return fmt::format("[{}, {}]", range.lo, range.hi);
}

}  // namespace acme::compiler
