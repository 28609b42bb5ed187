// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/conv_geometry.h"

#include <fmt/format.h>

#include <string>

#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {

litert::Expected<Window> MakeWindow(const Node& node, Padding padding, int64_t in, int64_t filter,
                                    int64_t stride, int64_t dilation) {
  if (stride < 1) return InvalidNode(node, fmt::format("has the stride {}", stride));
  if (dilation < 1) return InvalidNode(node, fmt::format("has the dilation {}", dilation));
  if (filter < 1) return InvalidNode(node, fmt::format("has a filter of size {}", filter));
  Window window{.in = in, .filter = filter, .stride = stride, .dilation = dilation};
  const int64_t reach = (filter - 1) * dilation + 1;
  switch (padding) {
    case Padding::kSame:
      window.out = (in + stride - 1) / stride;
      break;
    case Padding::kValid:
      // Towards zero: an input that falls less than a stride short of one window gives an empty
      // output, not an error.
      window.out = (in + stride - reach) / stride;
      break;
    default:
      return UnsupportedNode(node, "has the unknown padding " + EnumName(padding));
  }
  if (window.out < 0) {
    return InvalidNode(node, fmt::format("has a window of {} over only {} elements", reach, in));
  }
  // As TensorFlow pads: where the number is odd, the larger half comes behind.
  window.pad_before = std::max<int64_t>(0, ((window.out - 1) * stride + reach - in) / 2);
  return window;
}

namespace {

// One dimension of a phase, and the weights that it meets: from `first` on, every `step`.
struct Phase {
  Window window;
  int64_t first = 0;
  int64_t step = 0;
};

Phase PhaseOf(const Window& window, int64_t rest) {
  // The outputs rest, rest + stride, ... meet the weights f for which (rest + pad - f) / stride is
  // whole; an input further on meets a weight further down.
  const int64_t reach = rest + window.pad_before;
  const int64_t first = reach % window.stride;
  const int64_t taps =
      first < window.filter ? (window.filter - first + window.stride - 1) / window.stride : 0;
  return {.window = {.in = window.in,
                     .out = (window.out - rest + window.stride - 1) / window.stride,
                     .filter = taps,
                     .pad_before = taps - 1 - (reach - first) / window.stride},
          .first = first + (taps - 1) * window.stride,
          .step = -window.stride};
}

}  // namespace

std::vector<ConvGeometry> PhasesOf(const ConvGeometry& transposed) {
  constexpr int64_t kMostPhases = 64;
  std::vector<ConvGeometry> phases;
  const int64_t down_count = std::min(transposed.height.stride, transposed.height.out);
  const int64_t across_count = std::min(transposed.width.stride, transposed.width.out);
  if (down_count > kMostPhases || down_count * across_count > kMostPhases) return {};
  const ConvGeometry::Placement whole = transposed.OutputPlacement();
  for (int64_t y = 0; y < down_count; ++y) {
    for (int64_t x = 0; x < across_count; ++x) {
      const Phase down = PhaseOf(transposed.height, y);
      const Phase across = PhaseOf(transposed.width, x);
      // Outputs that meet no weight hold the bias alone, which no plain convolution without taps
      // computes.
      if (down.window.filter == 0 || across.window.filter == 0) return {};
      ConvGeometry phase = transposed;
      phase.transposed = false;
      phase.height = down.window;
      phase.width = across.window;
      phase.first_weight +=
          down.first * phase.weight_stride.y + across.first * phase.weight_stride.x;
      phase.weight_stride.y *= down.step;
      phase.weight_stride.x *= across.step;
      phase.placement = {.first = y * whole.row + x * whole.pixel,
                         .batch = whole.batch,
                         .row = transposed.height.stride * whole.row,
                         .pixel = transposed.width.stride * whole.pixel};
      phases.push_back(phase);
    }
  }
  return phases;
}

ConvGeometry TransposedGeometry(const Shape& in, const Shape& weights) {
  ConvGeometry geometry;
  geometry.transposed = true;
  geometry.batches = in[0];
  geometry.in_channels = in[3];
  geometry.out_channels = weights[0];
  geometry.channels_per_filter = in[3];
  geometry.filters_per_group = weights[0];
  geometry.weight_stride = {
      .o = ElemsOf(weights, 1, 4), .y = ElemsOf(weights, 2, 4), .x = weights[3], .c = 1};
  return geometry;
}

}  // namespace npukit::kernels
