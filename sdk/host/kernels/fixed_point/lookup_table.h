// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one 8-bit number as a table of 256 results, made as TFLite makes them: dequantise,
// apply, requantise in float32.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_LOOKUP_TABLE_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_LOOKUP_TABLE_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"

namespace npukit::kernels {

// For MakeUnary; T is int8_t or uint8_t.
template <typename T>
class EightBitTable {
 public:
  EightBitTable() = default;

  // function(stored value) -> stored value.
  template <typename Function>
  static EightBitTable OfStored(Function function) {
    EightBitTable table;
    for (int32_t x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) {
      table.values_[static_cast<uint8_t>(x)] = static_cast<T>(std::clamp<int32_t>(
          function(x), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
    return table;
  }

  // function(float) -> float, with the reciprocal of the output's scale.
  template <typename Function>
  static EightBitTable OfReal(const AffineParams& in, const AffineParams& out, Function function) {
    const float inverse = 1 / out.scale;
    return OfStored([&](int32_t x) {
      const float real = in.scale * static_cast<float>(x - in.zero_point);
      const float steps = std::round(function(real) * inverse);
      return CutToInt32(steps + static_cast<float>(out.zero_point));
    });
  }

  T operator()(T x) const { return values_[static_cast<uint8_t>(x)]; }

 private:
  std::array<T, 256> values_ = {};
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_LOOKUP_TABLE_H_
