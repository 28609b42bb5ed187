// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Hybrid arithmetic: floats rounded to 8 bits when an op runs, with a scale that their own extremes
// give, as TFLite does where weights are integers. A row of activations is
//   symmetric    s = max|v| / 127,              q = round(v / s)
//   asymmetric   s = (max(v,0) - min(v,0))/255, q = round(v / s) + zero point
// and a product is (sum q w - zero point * sum w) s s_w.

#ifndef NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_
#define NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {

struct DynamicScale {
  float scale = 1;
  int32_t zero_point = 0;
};

// The operators' modes are an option of theirs (asymmetric_quantize_inputs).
inline DynamicScale QuantizeSymmetric(std::span<const float> values, int8_t* stored) {
  float range = 0;
  if (!values.empty()) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    range = std::max(std::fabs(*low), std::fabs(*high));
  }
  if (range == 0) {
    std::fill_n(stored, values.size(), int8_t{0});
    return {};
  }
  const float inverse = 127 / range;
  for (size_t i = 0; i < values.size(); ++i) {
    stored[i] = static_cast<int8_t>(
        std::clamp<int32_t>(CutToInt32(std::round(values[i] * inverse)), -127, 127));
  }
  return {.scale = range / 127, .zero_point = 0};
}

inline DynamicScale QuantizeAsymmetric(std::span<const float> values, int8_t* stored) {
  double low = 0;
  double high = 0;
  if (!values.empty()) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    low = std::min(0.0f, *least);
    high = std::max(0.0f, *most);
  }
  if (low == high) {
    std::fill_n(stored, values.size(), int8_t{0});
    return {};
  }
  const double scale = (high - low) / 255.0;
  // The zero point is taken from the end of the range that lies nearer to 0.
  const double from_low = -128.0 - low / scale;
  const double from_high = 127.0 - high / scale;
  const bool low_is_nearer = 128.0 + std::fabs(low / scale) < 127.0 + std::fabs(high / scale);
  const double exact = low_is_nearer ? from_low : from_high;
  int32_t zero_point = 0;
  if (exact <= -128.0) {
    zero_point = -128;
  } else if (exact >= 127.0) {
    zero_point = 127;
  } else {
    zero_point = static_cast<int32_t>(CutToInt32(std::round(exact)));
  }
  const DynamicScale result{.scale = static_cast<float>(scale), .zero_point = zero_point};
  const float inverse = 1.0f / result.scale;
  for (size_t i = 0; i < values.size(); ++i) {
    const float steps = std::round(static_cast<float>(zero_point) + values[i] * inverse);
    stored[i] = static_cast<int8_t>(std::clamp<int32_t>(CutToInt32(steps), -128, 127));
  }
  return result;
}

inline DynamicScale QuantizeDynamically(std::span<const float> values, bool asymmetric,
                                        int8_t* stored) {
  return asymmetric ? QuantizeAsymmetric(values, stored) : QuantizeSymmetric(values, stored);
}

// How far rounding moves a value of a row whose magnitudes reach `reach`, in either mode: half of the
// wider step, and what float32 adds to it.
inline double DynamicRoundingBound(double reach) { return reach / 254 * (1 + 0x1p-10); }

// sum of (q - zero_point) w, in int32.
inline int32_t DynamicDot(const int8_t* stored, int32_t zero_point, const int8_t* weights,
                          int64_t count) {
  int32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (stored[i] - zero_point) * weights[i];
  return sum;
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_FIXED_POINT_DYNAMIC_QUANTIZATION_H_
