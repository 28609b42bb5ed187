// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The index arithmetic of windowed operators: output sizes, padding, and which input a weight
// meets. CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED are the same sums over different strides.

#ifndef NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_GEOMETRY_H_
#define NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_GEOMETRY_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sdk/host/kernels/node.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {

// One spatial dimension of a window. All in elements.
struct Window {
  int64_t in = 1;
  int64_t out = 1;
  int64_t filter = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_before = 0;

  // First input position of an output; may lie in the padding.
  int64_t Origin(int64_t out_index) const { return out_index * stride - pad_before; }
  // The range of filter positions whose input lies inside, for the window at that output.
  int64_t FilterBegin(int64_t out_index) const {
    const int64_t origin = Origin(out_index);
    return origin >= 0 ? 0 : std::min(filter, (-origin + dilation - 1) / dilation);
  }
  int64_t FilterEnd(int64_t out_index) const {
    const int64_t origin = Origin(out_index);
    if (origin >= in) return 0;
    return std::max<int64_t>(0, std::min(filter, (in - origin + dilation - 1) / dilation));
  }
};

// Output size and padding as TensorFlow has them; errors for strides, dilations or filters below 1
// and for windows that reach further than a whole stride beyond the input: less far, and the output is empty, as in
// TFLite.
litert::Expected<Window> MakeWindow(const Node& node, Padding padding, int64_t in, int64_t filter,
                                    int64_t stride, int64_t dilation);

struct ConvGeometry;

// The plain convolutions that a transposed one is made of: outputs whose place leaves the same rest when
// divided by the stride meet the same weights. Empty where some outputs meet none, and for large strides.
std::vector<ConvGeometry> PhasesOf(const ConvGeometry& transposed);

// Sums of products:
//   out[b, y, x, o] = sum over fy, fx, c of
//                       in[b, oy + fy dy, ox + fx dx, group(o) channels_per_filter + c] w(o, fy, fx, c)
// Activations are [batches, height, width, channels]; w(o, fy, fx, c) lies at
//   o weight_stride.o + fy weight_stride.y + fx weight_stride.x + c weight_stride.c
struct ConvGeometry {
  int64_t batches = 1;
  Window height;
  Window width;
  int64_t in_channels = 1;
  int64_t out_channels = 1;
  int64_t channels_per_filter = 1;  // input channels that one output channel reads
  int64_t filters_per_group = 1;    // consecutive output channels that read the same input channels
  struct {
    int64_t o = 0, y = 0, x = 0, c = 1;
  } weight_stride;           // in elements
  int64_t first_weight = 0;  // where w(0, 0, 0, 0) lies
  // Where outputs lie, in elements, if not one after the other: every so many pixels of a larger image.
  struct Placement {
    int64_t first = 0, batch = 0, row = 0, pixel = 0;
    // Of a pixel's first channel.
    int64_t At(int64_t of_batch, int64_t y, int64_t x) const {
      return first + of_batch * batch + y * row + x * pixel;
    }
  };
  std::optional<Placement> placement;
  // The windows stand on the output: input pixel (y, x) contributes to output (y s - pad + fy, x s
  // - pad + fx). The Windows' `in` and `out` are still those of the data flow.
  bool transposed = false;

  int64_t FirstInputChannel(int64_t out_channel) const {
    return out_channel / filters_per_group * channels_per_filter;
  }
  int64_t InputIndex(int64_t batch, int64_t y, int64_t x, int64_t channel) const {
    return ((batch * height.in + y) * width.in + x) * in_channels + channel;
  }
  int64_t WeightIndex(int64_t out_channel, int64_t fy, int64_t fx, int64_t channel) const {
    return first_weight + out_channel * weight_stride.o + fy * weight_stride.y +
           fx * weight_stride.x + channel * weight_stride.c;
  }
  Placement OutputPlacement() const {
    if (placement) return *placement;
    const int64_t row = width.out * out_channels;
    return {.batch = height.out * row, .row = row, .pixel = out_channels};
  }
  int64_t out_pixels() const { return batches * height.out * width.out; }
  int64_t terms_per_output() const { return height.filter * width.filter * channels_per_filter; }
  int64_t macs() const { return out_pixels() * out_channels * terms_per_output(); }

  // Calls fn(input_index, weight_index, count) for every run of `count` channels that meets the
  // output channel at the output pixel; weights advance by weight_stride.c.
  template <typename Fn>
  void ForEachRun(int64_t batch, int64_t out_y, int64_t out_x, int64_t out_channel, Fn fn) const {
    const int64_t first = FirstInputChannel(out_channel);
    const Taps taps_y = TapsAt(height, out_y);
    const Taps taps_x = TapsAt(width, out_x);
    for (int64_t fy = taps_y.begin; fy < taps_y.end; fy += taps_y.step) {
      for (int64_t fx = taps_x.begin; fx < taps_x.end; fx += taps_x.step) {
        fn(InputIndex(batch, InputAt(height, out_y, fy), InputAt(width, out_x, fx), first),
           out_channel * weight_stride.o + fy * weight_stride.y + fx * weight_stride.x,
           channels_per_filter);
      }
    }
  }

 private:
  // Filter positions that meet an input.
  struct Taps {
    int64_t begin, end, step;
  };
  Taps TapsAt(const Window& window, int64_t out) const {
    if (!transposed) return {window.FilterBegin(out), window.FilterEnd(out), 1};
    // The input (out + pad - f) / stride must be whole and inside.
    const int64_t reach = out + window.pad_before;
    const int64_t first = reach - (window.in - 1) * window.stride;
    const int64_t begin = first > 0 ? first : reach % window.stride;
    return {begin, std::min(window.filter, reach + 1), window.stride};
  }
  int64_t InputAt(const Window& window, int64_t out, int64_t tap) const {
    return transposed ? (out + window.pad_before - tap) / window.stride
                      : window.Origin(out) + tap * window.dilation;
  }
};

// Of a transposed convolution of [batches, height, width, channels] by weights [filters, height, width,
// channels]. Its windows are left to the caller.
ConvGeometry TransposedGeometry(const Shape& in, const Shape& weights);

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_CONVOLUTION_CONV_GEOMETRY_H_
