// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Weights and per-channel parameters in the order in which the hot loops read them
// (hot/hot_kernels.h).

#ifndef NPUKIT_SDK_HOST_KERNELS_PACKED_WEIGHTS_H_
#define NPUKIT_SDK_HOST_KERNELS_PACKED_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "sdk/host/kernels/conv_geometry.h"
#include "sdk/host/kernels/convolution.h"
#include "sdk/host/kernels/hot/hot_kernels.h"

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

// panel, run, group of elements, lane, element of the group. Positions without a weight hold
// `filler`.
template <typename Weight, typename From>
std::vector<Weight> PackPanels(const ConvGeometry& geometry, const ConvRuns& runs,
                               const PanelLayout& layout, int64_t group, Weight filler,
                               From weight_at) {
  const auto run_count = static_cast<int64_t>(runs.offsets.size());
  const int64_t runs_per_row = geometry.width.filter / runs.taps;
  std::vector<Weight> packed(layout.padded_channels() * run_count * runs.padded_elems, filler);
  Weight* to = packed.data();
  for (int64_t panel = 0; panel < layout.panels(); ++panel) {
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
          group_start[lane * group] =
              weight_at(o * geometry.weight_stride.o + fy * geometry.weight_stride.y +
                        tap * geometry.weight_stride.x + c * geometry.weight_stride.c);
        }
      }
      to += runs.padded_elems * layout.lanes;
    }
  }
  return packed;
}

// A Requantizer's parameters per padded channel, owned; View() points into it.
class PackedRequantization {
 public:
  // Null if the hot loops cannot compute it exactly: multipliers of 1 or more in float64, int64
  // biases beyond int32 where the sum must fit. `bias` per real channel, or empty.
  static bool IsSupported(const Requantizer& requantizer, const std::vector<int64_t>& bias);

  PackedRequantization() = default;
  PackedRequantization(const Requantizer& requantizer, const PanelLayout& layout,
                       const std::vector<int64_t>& bias, HotRequantization::Out out);

  HotRequantization View(int64_t first_channel) const;
  int64_t bytes() const;

 private:
  HotRequantization::Kind kind_ = HotRequantization::Kind::kFixed32;
  HotRequantization::Out out_ = HotRequantization::Out::kInt8;
  std::vector<int32_t> bias_, mantissa_, left_, right_;
  std::vector<int64_t> bias64_;
  std::vector<double> real_;
  int32_t zero_point_ = 0;
  IntegerRange range_;
};

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_PACKED_WEIGHTS_H_
