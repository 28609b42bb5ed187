// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/fixed_point/dynamic_quantization.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sdk/host/kernels/fixed_point/requantizer.h"

namespace npukit::kernels {
namespace {

struct Ends {
  float low = 0;
  float high = 0;
};

Ends EndsOf(std::span<const float> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

int8_t RoundToInt8(float steps, int32_t min) {
  return static_cast<int8_t>(std::clamp<int32_t>(CutToInt32(std::round(steps)), min, 127));
}

// What turns values into steps: v * factor + zero point.
struct Steps {
  DynamicScale scale;
  float factor;
};

// Nothing where all values are 0, as below.
std::optional<Steps> SymmetricSteps(Ends ends) {
  const float range = std::max(std::fabs(ends.low), std::fabs(ends.high));
  if (range == 0) return std::nullopt;
  return Steps{.scale = {.scale = range / 127}, .factor = 127 / range};
}

std::optional<Steps> AsymmetricSteps(Ends ends) {
  const double low = std::min(0.0f, ends.low);
  const double high = std::max(0.0f, ends.high);
  if (low == high) return std::nullopt;
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
  return Steps{.scale = result, .factor = 1.0f / result.scale};
}

}  // namespace

DynamicScale QuantizeDynamically(std::span<const float> values, bool asymmetric, int8_t* stored,
                                 const Microkernels* microkernels) {
  const auto count = static_cast<int64_t>(values.size());
  // Rows that are not finite go element by element: no int8 holds what the microkernel would meet.
  FloatExtent extent{.low = 0, .high = 0, .is_finite = false};
  if (microkernels != nullptr) extent = microkernels->extent(values.data(), count);
  const Ends ends = extent.is_finite ? Ends{extent.low, extent.high} : EndsOf(values);
  const std::optional<Steps> steps = asymmetric ? AsymmetricSteps(ends) : SymmetricSteps(ends);
  if (!steps) {
    std::fill_n(stored, count, int8_t{0});
    return {};
  }
  const int32_t min = asymmetric ? -128 : -127;
  const auto offset = static_cast<float>(steps->scale.zero_point);
  if (extent.is_finite && std::isfinite(steps->factor)) {
    microkernels->round_to_int8(values.data(), count, steps->factor, offset, min, stored);
    return steps->scale;
  }
  for (int64_t i = 0; i < count; ++i) {
    const float product = values[static_cast<size_t>(i)] * steps->factor;
    stored[i] = RoundToInt8(offset + product, min);
  }
  return steps->scale;
}

}  // namespace npukit::kernels
