// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Weights and per-channel parameters in the order in which the microkernels read them
// (microkernels/microkernels.h).

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_PACKED_WEIGHTS_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_PACKED_WEIGHTS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sdk/host/kernels/convolution/conv_geometry.h"
#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/microkernels/microkernels.h"

namespace npukit::kernels {

// The pieces of adjacent image elements that an output pixel reads: whole filter rows where
// channels and taps are adjacent, single taps else.
struct ConvRuns {
  std::vector<int64_t> offsets;  // in an image of image_cols pixels a row
  int64_t elems = 0;             // real ones
  int64_t padded_elems = 0;      // up to a whole group
  int64_t taps = 1;              // filter columns in a run

  static ConvRuns Of(const ConvGeometry& geometry, int64_t image_cols, int64_t group);
};

// Output channels are packed group by group (of the convolution), each padded to whole panels.
struct PanelLayout {
  int64_t lanes = 1;
  int64_t groups = 1;
  int64_t channels_per_group = 1;

  int64_t padded_per_group() const { return (channels_per_group + lanes - 1) / lanes * lanes; }
  int64_t panels() const { return groups * padded_per_group() / lanes; }
  int64_t padded_channels() const { return groups * padded_per_group(); }
  // The real output channel at a padded position, or -1.
  int64_t ChannelAt(int64_t padded) const {
    const int64_t within = padded % padded_per_group();
    return within < channels_per_group ? padded / padded_per_group() * channels_per_group + within
                                       : -1;
  }
  static PanelLayout Of(const ConvGeometry& geometry, int64_t lanes) {
    return {.lanes = lanes,
            .groups = geometry.out_channels / std::max<int64_t>(1, geometry.filters_per_group),
            .channels_per_group = geometry.filters_per_group};
  }
};

// Whose pages are in memory once they have been written. (A vector writes all of them at once.)
template <typename Weight>
class PackedArray {
 public:
  PackedArray() = default;
  explicit PackedArray(size_t size) : data_(new Weight[size]), size_(size) {}

  Weight* data() { return data_.get(); }
  const Weight* data() const { return data_.get(); }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(Weight); }

 private:
  std::unique_ptr<Weight[]> data_;
  size_t size_ = 0;
};

// Calls spent(count) now and then, when the first `count` weights are not needed any more.
template <typename Weight, typename Spent>
class SpentElems {
 public:
  explicit SpentElems(Spent& spent) : spent_(spent) {}

  void Reach(int64_t count) {
    if (count < last_count_ + kAtOnce) return;
    last_count_ = count;
    spent_(count);
  }

 private:
  static constexpr int64_t kAtOnce = (64 << 10) / sizeof(Weight);  // as much as systems map at once
  Spent& spent_;
  int64_t last_count_ = 0;
};

// panel, run, group of elements, lane, element of the group. Positions without a weight hold
// `filler`. As for `spent`, see SpentElems.
template <typename Weight, typename From, typename Spent>
PackedArray<Weight> PackPanels(const ConvGeometry& geometry, const ConvRuns& runs,
                               const PanelLayout& layout, int64_t group, Weight filler,
                               From weight_at, Spent& spent) {
  const auto run_count = static_cast<int64_t>(runs.offsets.size());
  const int64_t runs_per_row = geometry.width.filter / runs.taps;
  const int64_t panel_elems = run_count * runs.padded_elems * layout.lanes;
  PackedArray<Weight> packed(static_cast<size_t>(layout.panels() * panel_elems));
  Weight* to = packed.data();
  SpentElems<Weight, Spent> spent_elems(spent);
  for (int64_t panel = 0; panel < layout.panels(); ++panel) {
    std::fill_n(to, panel_elems, filler);
    for (int64_t run = 0; run < run_count; ++run) {
      const int64_t fy = run / runs_per_row;
      const int64_t fx = run % runs_per_row * runs.taps;
      for (int64_t k = 0; k < runs.padded_elems; ++k) {
        Weight* group_start = to + k / group * group * layout.lanes + k % group;
        if (k >= runs.elems) continue;
        const int64_t tap = fx + k / geometry.channels_per_filter;
        const int64_t c = k % geometry.channels_per_filter;
        for (int64_t lane = 0; lane < layout.lanes; ++lane) {
          const int64_t o = layout.ChannelAt(panel * layout.lanes + lane);
          if (o < 0) continue;
          group_start[lane * group] = weight_at(geometry.WeightIndex(o, fy, tap, c));
        }
      }
      to += runs.padded_elems * layout.lanes;
    }
    const int64_t next = layout.ChannelAt(panel * layout.lanes + layout.lanes - 1) + 1;
    spent_elems.Reach(next * geometry.weight_stride.o);
  }
  return packed;
}

// A Requantizer's parameters per padded channel, owned; View() points into it.
class PackedRequantization {
 public:
  // False if the microkernels cannot compute it exactly: multipliers of 1 or more in float64, int64
  // biases beyond int32 where the sum must fit. `bias` per real channel, or empty.
  static bool IsSupported(const Requantizer& requantizer, const std::vector<int64_t>& bias);

  PackedRequantization() = default;
  PackedRequantization(const Requantizer& requantizer, const PanelLayout& layout,
                       const std::vector<int64_t>& bias, StoredType out);

  RequantizationArgs View(int64_t first_channel) const;
  int64_t bytes() const;

 private:
  RequantizationArgs::Kind kind_ = RequantizationArgs::Kind::kFixed32;
  StoredType out_ = StoredType::kInt8;
  bool is_uniform_ = false;  // one panel of multipliers for all channels
  std::vector<int32_t> bias_, mantissa_;
  std::vector<int8_t> left_, right_;
  std::vector<int64_t> bias64_;
  std::vector<double> real_;
  int32_t zero_point_ = 0;
  IntegerRange range_;
};

// A RealOutputArgs' parameters per padded channel, owned; View() points into it.
class PackedRealOutput {
 public:
  PackedRealOutput() = default;
  // `scales` and `weight_sums` per real channel, `bias` too or empty.
  PackedRealOutput(const PanelLayout& layout, std::span<const float> scales,
                   std::span<const float> bias, std::span<const int32_t> weight_sums,
                   FloatRange range);

  // Of one tile: its pixels' scales and zero points, one for all if `pixel_step` is 0.
  RealOutputArgs View(int64_t first_channel, const float* scales, const int32_t* zero_points,
                      int32_t image_zero_point, int32_t pixel_step) const;
  int64_t bytes() const {
    return static_cast<int64_t>((scales_.size() + bias_.size() + weight_sums_.size()) *
                                sizeof(float));
  }

 private:
  std::vector<float> scales_, bias_;
  std::vector<int32_t> weight_sums_;
  FloatRange range_;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_PACKED_WEIGHTS_H_
