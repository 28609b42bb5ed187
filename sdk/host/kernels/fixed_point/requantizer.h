// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From an integer accumulator to a quantised output, per channel. TFLite's reference kernels do it
// in three ways.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_REQUANTIZER_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_REQUANTIZER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"

namespace npukit::kernels {

// A float64 cut to int32; what x86's conversion gives where it does not fit, since TFLite leaves it
// to the machine.
inline int32_t CutToInt32(double value) {
  if (!(value > -2147483649.0 && value < 2147483648.0)) return std::numeric_limits<int32_t>::min();
  return static_cast<int32_t>(value);
}

struct Requantizer {
  enum class Kind {
    kFixed32,  // int32 accumulator, fixed-point multiplier, two roundings (convolutions)
    kFixed64,  // int64 accumulator, multiplier cut to 16 bits (convolutions of int16 with int64
               // bias)
    kReal,     // round(accumulator * real multiplier) in float64 (FULLY_CONNECTED)
  };
  Kind kind = Kind::kFixed32;
  bool wide = false;                   // kReal: the accumulator is int64
  std::vector<FixedMultiplier> fixed;  // one per channel
  std::vector<double> real;            // kReal: one per channel
  int32_t zero_point = 0;
  IntegerRange range;

  // The accumulator with its bias. Where TFLite's is int32, it wraps.
  int32_t Apply(int64_t accumulator, int64_t channel) const {
    int32_t scaled = 0;
    switch (kind) {
      case Kind::kFixed32:
        scaled = MultiplyByFixed(static_cast<int32_t>(accumulator), fixed[channel]);
        break;
      case Kind::kFixed64:
        scaled = MultiplyByFixed64(accumulator, fixed[channel]);
        break;
      case Kind::kReal: {
        const int64_t value = wide ? accumulator : static_cast<int32_t>(accumulator);
        scaled = CutToInt32(std::round(static_cast<double>(value) * real[channel]));
        break;
      }
    }
    return std::clamp(WrappingAdd(scaled, zero_point), range.min, range.max);
  }
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_REQUANTIZER_H_
