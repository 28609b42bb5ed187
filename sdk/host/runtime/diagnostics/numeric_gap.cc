// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/diagnostics/numeric_gap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "sdk/host/kernels/half.h"

namespace npukit {
namespace {

struct Half {
  uint16_t bits;
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator double() const { return kernels::HalfToFloat(bits); }
};
struct BrainFloat {
  uint16_t bits;
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator double() const { return kernels::BFloat16ToFloat(bits); }
};

class Meter {
 public:
  Meter(const Tensor& tensor, std::span<const int32_t> shape) : quantization_(tensor.quantization) {
    if (!quantization_.is_per_channel()) return;
    const auto axis = static_cast<size_t>(quantization_.quantized_dimension);
    if (axis >= shape.size() || static_cast<size_t>(shape[axis]) != quantization_.scale.size())
      return;
    channels_ = shape[axis];
    for (size_t i = axis + 1; i < shape.size(); ++i) channel_stride_ *= shape[i];
  }

  template <typename T>
  NumericGap Measure(std::span<const uint8_t> expected, std::span<const uint8_t> actual) {
    NumericGap gap;
    gap.elems = static_cast<int64_t>(expected.size() / sizeof(T));
    double sum_squares = 0;
    double sum_errors = 0;
    if (std::is_integral_v<T>) gap.max_steps = 0;
    for (int64_t i = 0; i < gap.elems; ++i) {
      T a{};
      T b{};
      std::memcpy(&a, expected.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
      std::memcpy(&b, actual.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
      const double scale = std::is_integral_v<T> ? ScaleOf(i) : 1.0;
      const double zero_point = std::is_integral_v<T> ? ZeroPointOf(i) : 0.0;
      const double real = scale * (static_cast<double>(a) - zero_point);
      if (std::isfinite(real)) sum_squares += real * real;
      double difference = 0;
      if constexpr (std::is_integral_v<T>) {
        const int64_t steps = Steps(a, b);
        gap.max_steps = std::max(*gap.max_steps, steps);
        difference = static_cast<double>(steps) * scale;
        if (steps == 0) continue;
      } else {
        difference = Difference(a, b);
        if (difference == 0) continue;
      }
      if (gap.differing_elems++ == 0) gap.first_differing_elem = i;
      gap.max_abs = std::max(gap.max_abs, difference);
      sum_errors += difference * difference;
    }
    if (gap.elems != 0) gap.mse = sum_errors / static_cast<double>(gap.elems);
    if (sum_errors > 0 && sum_squares > 0) gap.snr_db = 10 * std::log10(sum_squares / sum_errors);
    return gap;
  }

 private:
  // Computed without sign, as the difference of two signed 64-bit values may overflow; at most what
  // the result holds.
  template <typename T>
  static int64_t Steps(T a, T b) {
    const uint64_t steps = a > b ? static_cast<uint64_t>(a) - static_cast<uint64_t>(b)
                                 : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
    constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
    return static_cast<int64_t>(std::min(steps, kMost));
  }

  // 0 for equal values; infinity where one is NaN or infinite and the other is not the same.
  static double Difference(double x, double y) {
    if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
    const double difference = std::fabs(x - y);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }

  size_t ChannelOf(int64_t elem) const {
    return channels_ == 0 ? 0 : static_cast<size_t>(elem / channel_stride_ % channels_);
  }
  double ScaleOf(int64_t elem) const {
    return quantization_.scale.empty() ? 1.0
                                       : static_cast<double>(quantization_.scale[ChannelOf(elem)]);
  }
  double ZeroPointOf(int64_t elem) const {
    return static_cast<double>(quantization_.ZeroPointOf(ChannelOf(elem)));
  }

  const Quantization& quantization_;
  int64_t channels_ = 0;
  int64_t channel_stride_ = 1;
};

}  // namespace

std::optional<NumericGap> MeasureGap(const Tensor& tensor, std::span<const int32_t> shape,
                                     std::span<const uint8_t> expected,
                                     std::span<const uint8_t> actual) {
  if (expected.size() != actual.size()) return std::nullopt;
  Meter meter(tensor, shape);
  switch (tensor.element_type) {
    case kLiteRtElementTypeFloat32:
      return meter.Measure<float>(expected, actual);
    case kLiteRtElementTypeFloat64:
      return meter.Measure<double>(expected, actual);
    case kLiteRtElementTypeFloat16:
      return meter.Measure<Half>(expected, actual);
    case kLiteRtElementTypeBFloat16:
      return meter.Measure<BrainFloat>(expected, actual);
    case kLiteRtElementTypeBool:
    case kLiteRtElementTypeUInt8:
      return meter.Measure<uint8_t>(expected, actual);
    case kLiteRtElementTypeInt8:
      return meter.Measure<int8_t>(expected, actual);
    case kLiteRtElementTypeInt16:
      return meter.Measure<int16_t>(expected, actual);
    case kLiteRtElementTypeUInt16:
      return meter.Measure<uint16_t>(expected, actual);
    case kLiteRtElementTypeInt32:
      return meter.Measure<int32_t>(expected, actual);
    case kLiteRtElementTypeUInt32:
      return meter.Measure<uint32_t>(expected, actual);
    case kLiteRtElementTypeInt64:
      return meter.Measure<int64_t>(expected, actual);
    case kLiteRtElementTypeUInt64:
      return meter.Measure<uint64_t>(expected, actual);
    default:
      return std::nullopt;
  }
}

}  // namespace npukit
