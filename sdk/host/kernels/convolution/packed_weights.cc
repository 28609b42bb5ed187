// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/packed_weights.h"

#include <algorithm>
#include <limits>

#include "sdk/host/kernels/fixed_point/fixed_point.h"

namespace npukit::kernels {

ConvRuns ConvRuns::Of(const ConvGeometry& geometry, int64_t image_cols, int64_t group) {
  ConvRuns runs;
  const int64_t channels = geometry.in_channels;
  // Taps of a filter row are neighbours in memory if no pixel is skipped and all of its channels
  // are read.
  const bool whole_rows = geometry.width.dilation == 1 && geometry.channels_per_filter == channels;
  runs.taps = whole_rows ? geometry.width.filter : 1;
  runs.elems = runs.taps * geometry.channels_per_filter;
  runs.padded_elems = (runs.elems + group - 1) / group * group;
  for (int64_t fy = 0; fy < geometry.height.filter; ++fy) {
    for (int64_t fx = 0; fx < geometry.width.filter; fx += runs.taps) {
      runs.offsets.push_back(
          (fy * geometry.height.dilation * image_cols + fx * geometry.width.dilation) * channels);
    }
  }
  return runs;
}

namespace {

template <typename T>
bool AreEqual(const std::vector<T>& values) {
  return std::ranges::all_of(values, [&](const T& value) { return value == values.front(); });
}

}  // namespace

bool PackedRequantization::IsSupported(const Requantizer& requantizer,
                                       const std::vector<int64_t>& bias) {
  if (requantizer.kind == Requantizer::Kind::kReal) {
    for (double real : requantizer.real) {
      // The loops cut the product to int32 before they clamp it (Requantize in microkernels.inc),
      // so it must not be larger than the sum; Requantizer::Apply takes care of others.
      if (real > 0.999) return false;
    }
  }
  if (requantizer.kind != Requantizer::Kind::kFixed64) {
    for (int64_t value : bias) {
      if (value < std::numeric_limits<int32_t>::min() ||
          value > std::numeric_limits<int32_t>::max())
        return false;
    }
  }
  return true;
}

PackedRequantization::PackedRequantization(const Requantizer& requantizer,
                                           const PanelLayout& layout,
                                           const std::vector<int64_t>& bias, StoredType out)
    : out_(out), zero_point_(requantizer.zero_point), range_(requantizer.range) {
  const int64_t count = layout.padded_channels();
  const bool wide = requantizer.kind == Requantizer::Kind::kFixed64;
  const bool real = requantizer.kind == Requantizer::Kind::kReal;
  kind_ = wide   ? RequantizationArgs::Kind::kFixed64
          : real ? RequantizationArgs::Kind::kReal
                 : RequantizationArgs::Kind::kFixed32;
  // A panel of them serves all channels where they are equal.
  is_uniform_ = AreEqual(requantizer.fixed) && AreEqual(requantizer.real) && count > 0;
  const int64_t multipliers = is_uniform_ ? layout.lanes : count;
  if (wide) {
    bias64_.resize(count);
  } else {
    bias_.resize(count);
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t channel = layout.ChannelAt(i);
    if (channel < 0 || bias.empty()) continue;
    if (wide) {
      bias64_[i] = bias[channel];
    } else {
      bias_[i] = static_cast<int32_t>(bias[channel]);
    }
  }
  if (real) {
    real_.resize(multipliers);
  } else {
    mantissa_.resize(multipliers);
    left_.resize(multipliers);
    // 1 where there is no channel: the loops of kFixed64 shift by one less, which must not be
    // negative.
    right_.resize(multipliers, 1);
  }
  for (int64_t i = 0; i < multipliers; ++i) {
    const int64_t channel = is_uniform_ ? 0 : layout.ChannelAt(i);
    if (channel < 0) continue;
    if (real) {
      real_[i] = requantizer.real[channel];
      continue;
    }
    const FixedMultiplier fixed = requantizer.fixed[channel];
    if (wide) {
      // As MultiplyByFixed64 cuts it.
      mantissa_[i] = fixed.mantissa < 0x7FFF0000 ? (fixed.mantissa + (1 << 15)) >> 16 : 0x7FFF;
      right_[i] = static_cast<int8_t>(15 - fixed.shift);
    } else {
      mantissa_[i] = fixed.mantissa;
      left_[i] = static_cast<int8_t>(std::max(fixed.shift, 0));
      right_[i] = static_cast<int8_t>(std::max(-fixed.shift, 0));
    }
  }
}

RequantizationArgs PackedRequantization::View(int64_t first_channel) const {
  auto at = [first_channel](const auto& values) {
    return values.empty() ? nullptr : values.data() + first_channel;
  };
  auto multipliers = [&](const auto& values) { return is_uniform_ ? values.data() : at(values); };
  return {.kind = kind_,
          .out = out_,
          .bias = at(bias_),
          .bias64 = at(bias64_),
          .mantissa = multipliers(mantissa_),
          .left = multipliers(left_),
          .right = multipliers(right_),
          .real = multipliers(real_),
          .multiplier_step = is_uniform_ ? 0 : 1,
          .zero_point = zero_point_,
          .min = range_.min,
          .max = range_.max};
}

int64_t PackedRequantization::bytes() const {
  return static_cast<int64_t>((bias_.size() + mantissa_.size()) * sizeof(int32_t) + left_.size() +
                              right_.size() + bias64_.size() * sizeof(int64_t) +
                              real_.size() * sizeof(double));
}

PackedRealOutput::PackedRealOutput(const PanelLayout& layout, std::span<const float> scales,
                                   std::span<const float> bias,
                                   std::span<const int32_t> weight_sums, FloatRange range)
    : range_(range) {
  const auto count = static_cast<size_t>(layout.padded_channels());
  scales_.resize(count);
  bias_.resize(count);
  weight_sums_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t channel = layout.ChannelAt(static_cast<int64_t>(i));
    if (channel < 0) continue;
    scales_[i] = scales[static_cast<size_t>(channel)];
    if (!bias.empty()) bias_[i] = bias[static_cast<size_t>(channel)];
    weight_sums_[i] = weight_sums[static_cast<size_t>(channel)];
  }
}

RealOutputArgs PackedRealOutput::View(int64_t first_channel, const float* scales,
                                      const int32_t* zero_points, int32_t image_zero_point,
                                      int32_t pixel_step) const {
  return {.channel_scales = scales_.data() + first_channel,
          .bias = bias_.data() + first_channel,
          .weight_sums = weight_sums_.data() + first_channel,
          .scales = scales,
          .zero_points = zero_points,
          .image_zero_point = image_zero_point,
          .pixel_step = pixel_step,
          .min = range_.min,
          .max = range_.max};
}

}  // namespace npukit::kernels
