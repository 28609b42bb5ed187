// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "sdk/host/kernels/convolution/conv_tiling.h"
#include "sdk/host/kernels/convolution/fast_convolution.h"
#include "sdk/host/kernels/convolution/packed_weights.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

// The bias per padded channel.
std::vector<float> PackedBias(const Node& node, const PanelLayout& layout) {
  std::vector<float> packed(layout.padded_channels(), 0.0f);
  const Operand* bias = node.input(2);
  if (bias == nullptr) return packed;
  for (int64_t i = 0; i < layout.padded_channels(); ++i) {
    const int64_t channel = layout.ChannelAt(i);
    if (channel >= 0)
      std::memcpy(&packed[i], bias->constant.data() + channel * sizeof(float), sizeof(float));
  }
  return packed;
}

// Calls run_tile(tile, image) for all tiles, on the pool's threads. `image` is the worker's part of
// the scratch; null where images are not copied and there is none.
template <typename RunTile>
void ForEachTile(const RunContext& context, const ConvTiling& tiling, bool copies,
                 RunTile run_tile) {
  ParallelFor(context.pool, static_cast<size_t>(tiling.work_items()), /*grain=*/1,
              [&](size_t begin, size_t end, int worker) {
                float* image = copies ? reinterpret_cast<float*>(context.scratch.data() +
                                                                 worker * tiling.image_bytes())
                                      : nullptr;
                for (size_t item = begin; item < end; ++item)
                  run_tile(TileAt(tiling, static_cast<int64_t>(item)), image);
              });
}

// The input itself is the image where no window leaves it.
class FastFloatConvKernel final : public Kernel {
 public:
  struct Parts {
    const Microkernels* microkernels;
    ConvTiling tiling;
    bool copies = true;
    ConvRuns runs;
    PanelLayout layout;
    PackedArray<float> weights;
    std::vector<float> bias;
    FloatRange range;
  };
  FastFloatConvKernel(Parts parts, int num_threads) : p_(std::move(parts)) {
    if (p_.copies) scratch_bytes_ = static_cast<size_t>(num_threads) * p_.tiling.image_bytes();
    packed_bytes_ = (p_.weights.size() + p_.bias.size()) * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    ForEachTile(context, p_.tiling, p_.copies,
                [&](const ConvTile& tile, float* image) { RunTile(tile, in, image, out); });
    return {};
  }

 private:
  void RunTile(const ConvTile& tile, const float* in, float* scratch, float* out) const {
    const ConvGeometry& geometry = p_.tiling.geometry;
    const int64_t channels = geometry.in_channels;
    const float* image = scratch;
    int64_t image_cols = p_.tiling.image_cols();
    if (p_.copies) {
      MakeImage(
          p_.tiling, tile, in, scratch,
          [&](const float* from, int64_t pixels, float* to) {
            std::memcpy(to, from, pixels * channels * sizeof(float));
          },
          [&](int64_t pixels, float* to) {
            std::memset(to, 0, pixels * channels * sizeof(float));
          });
    } else {
      image = in + geometry.InputIndex(tile.batch, geometry.height.Origin(tile.y),
                                       geometry.width.Origin(tile.x), 0);
      image_cols = geometry.width.in;
    }
    const ConvGeometry::Placement placement = geometry.OutputPlacement();
    const int64_t first_out = placement.At(tile.batch, tile.y, tile.x);
    FloatConvArgs conv{.tile = {.rows = tile.rows,
                                .cols = tile.cols,
                                .image_row_stride = geometry.height.stride * image_cols * channels,
                                .image_pixel_stride = geometry.width.stride * channels,
                                .run_offsets = p_.runs.offsets.data(),
                                .runs = static_cast<int64_t>(p_.runs.offsets.size()),
                                .run_elems = p_.runs.elems,
                                .out_row_stride = placement.row,
                                .out_pixel_stride = placement.pixel},
                       .panel_elems = static_cast<int64_t>(p_.runs.offsets.size()) * p_.runs.elems *
                                      p_.layout.lanes,
                       .min = p_.range.min,
                       .max = p_.range.max};
    const int64_t panels_per_group = p_.layout.padded_per_group() / p_.layout.lanes;
    const int64_t split_panels =
        (panels_per_group + p_.tiling.channel_splits - 1) / p_.tiling.channel_splits;
    for (int64_t g = 0; g < p_.layout.groups; ++g) {
      conv.tile.image = image + g * geometry.channels_per_filter;
      conv.tile.out = out + first_out + g * geometry.filters_per_group;
      conv.weights = p_.weights.data() + g * panels_per_group * conv.panel_elems;
      conv.bias = p_.bias.data() + g * p_.layout.padded_per_group();
      conv.tile.first_channel = tile.split * split_panels * p_.layout.lanes;
      conv.tile.end_channel = std::min(conv.tile.first_channel + split_panels * p_.layout.lanes,
                                       geometry.filters_per_group);
      if (conv.tile.first_channel < conv.tile.end_channel) p_.microkernels->float_conv(conv);
    }
  }

  Parts p_;
};

class FastFloatDepthwiseKernel final : public Kernel {
 public:
  struct Parts {
    const Microkernels* microkernels;
    ConvTiling tiling;
    bool copies = true;
    std::vector<int64_t> tap_offsets;
    std::vector<float> weights;
    std::vector<float> bias;
    FloatRange range;
  };
  FastFloatDepthwiseKernel(Parts parts, int num_threads) : p_(std::move(parts)) {
    if (p_.copies) scratch_bytes_ = static_cast<size_t>(num_threads) * p_.tiling.image_bytes();
    packed_bytes_ = (p_.weights.size() + p_.bias.size()) * sizeof(float);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    ForEachTile(context, p_.tiling, p_.copies,
                [&](const ConvTile& tile, float* image) { RunTile(tile, in, image, out); });
    return {};
  }

 private:
  void CopyImage(const ConvTile& tile, const float* in, float* image) const {
    const ConvGeometry& geometry = p_.tiling.geometry;
    const int64_t channels = p_.tiling.image_channels;
    const int64_t multiplier = geometry.filters_per_group;
    auto convert = [&](const float* from, int64_t pixels, float* to) {
      if (channels == geometry.in_channels) {
        std::memcpy(to, from, pixels * channels * sizeof(float));
        return;
      }
      // Channels are repeated for each of their outputs, and padded.
      for (int64_t i = 0; i < pixels; ++i, from += geometry.in_channels, to += channels) {
        for (int64_t o = 0; o < geometry.out_channels; ++o) to[o] = from[o / multiplier];
        for (int64_t o = geometry.out_channels; o < channels; ++o) to[o] = 0;
      }
    };
    MakeImage(p_.tiling, tile, in, image, convert, [&](int64_t pixels, float* to) {
      std::memset(to, 0, pixels * channels * sizeof(float));
    });
  }

  void RunTile(const ConvTile& tile, const float* in, float* scratch, float* out) const {
    const ConvGeometry& geometry = p_.tiling.geometry;
    const int64_t channels = p_.tiling.image_channels;
    const float* image = scratch;
    int64_t image_cols = p_.tiling.image_cols();
    if (p_.copies) {
      CopyImage(tile, in, scratch);
    } else {
      image = in + geometry.InputIndex(tile.batch, geometry.height.Origin(tile.y),
                                       geometry.width.Origin(tile.x), 0);
      image_cols = geometry.width.in;
    }
    const ConvGeometry::Placement placement = geometry.OutputPlacement();
    const DepthwiseArgs depthwise{
        .rows = tile.rows,
        .cols = tile.cols,
        .image = image,
        .image_row_stride = geometry.height.stride * image_cols * channels,
        .image_pixel_stride = geometry.width.stride * channels,
        .tap_offsets = p_.tap_offsets.data(),
        .taps = static_cast<int64_t>(p_.tap_offsets.size()),
        .channels = geometry.out_channels,
        .weights = p_.weights.data(),
        .out = out + placement.At(tile.batch, tile.y, tile.x),
        .out_row_stride = placement.row,
        .out_pixel_stride = placement.pixel,
        .bias = p_.bias.data(),
        .min = p_.range.min,
        .max = p_.range.max};
    p_.microkernels->depthwise(depthwise);
  }

  Parts p_;
};

bool HasConstantBias(const Node& node) {
  return node.input(2) == nullptr || node.input(2)->has_constant();
}

}  // namespace

std::unique_ptr<Kernel> MakeFastFloatConv(const Node& node, const Convolution& convolution,
                                          FloatRange range, const float* weights,
                                          const PrepareOptions& options) {
  if (!HasConstantBias(node) || convolution.geometry.transposed) return nullptr;
  const ConvGeometry geometry = Flattened(convolution.geometry);
  FastFloatConvKernel::Parts parts{.microkernels = &MicrokernelsFor(options.isa),
                                   .copies = !IsUnpadded(geometry),
                                   .range = range};
  parts.layout = PanelLayout::Of(geometry, parts.microkernels->lanes);
  const int64_t splits = parts.layout.groups == 1 ? parts.layout.panels() : 1;
  parts.tiling =
      PlanTiling(geometry, geometry.in_channels, sizeof(float), splits, options.num_threads);
  parts.runs = ConvRuns::Of(geometry, parts.copies ? parts.tiling.image_cols() : geometry.width.in,
                            /*group=*/1);
  const Operand& constant = *node.inputs[1];
  // Else they are a dequantised copy, and what is read here are not the constant's bytes.
  const bool is_own = reinterpret_cast<const uint8_t*>(weights) == constant.constant.data();
  const auto spent = [&](int64_t count) {
    if (options.spent && is_own)
      options.spent(constant, count * static_cast<int64_t>(sizeof(float)));
  };
  parts.weights = PackPanels<float>(
      geometry, parts.runs, parts.layout, /*group=*/1, 0.0f,
      [&](int64_t index) { return weights[index]; }, spent);
  parts.bias = PackedBias(node, parts.layout);
  return std::make_unique<FastFloatConvKernel>(std::move(parts), options.num_threads);
}

std::unique_ptr<Kernel> MakeFastFloatDepthwise(const Node& node, const Convolution& convolution,
                                               FloatRange range, const float* weights,
                                               const PrepareOptions& options) {
  const ConvGeometry& geometry = convolution.geometry;
  if (!IsDepthwise(geometry) || !HasConstantBias(node)) return nullptr;
  // Wider vectors are slower here, by measurement: memory and few channels set the pace.
  FastFloatDepthwiseKernel::Parts parts{
      .microkernels = &MicrokernelsFor(std::min(options.isa, CpuIsa::kAvx2)), .range = range};
  const int64_t lanes = parts.microkernels->lanes;
  const int64_t channels = (geometry.out_channels + lanes - 1) / lanes * lanes;
  // The loops read whole vectors of channels of a pixel, so the input serves as the image only
  // where its channels fill vectors.
  parts.copies = channels != geometry.in_channels || !IsUnpadded(geometry);
  parts.tiling = PlanTiling(geometry, channels, sizeof(float), /*panels=*/1, options.num_threads);
  const int64_t image_cols = parts.copies ? parts.tiling.image_cols() : geometry.width.in;
  parts.weights.reserve(
      static_cast<size_t>(geometry.height.filter * geometry.width.filter * channels));
  for (int64_t fy = 0; fy < geometry.height.filter; ++fy) {
    for (int64_t fx = 0; fx < geometry.width.filter; ++fx) {
      parts.tap_offsets.push_back(
          (fy * geometry.height.dilation * image_cols + fx * geometry.width.dilation) * channels);
      for (int64_t o = 0; o < channels; ++o) {
        const int64_t index = o * geometry.weight_stride.o + fy * geometry.weight_stride.y +
                              fx * geometry.weight_stride.x;
        parts.weights.push_back(o < geometry.out_channels ? weights[index] : 0.0f);
      }
    }
  }
  parts.bias =
      PackedBias(node, {.lanes = lanes, .groups = 1, .channels_per_group = geometry.out_channels});
  return std::make_unique<FastFloatDepthwiseKernel>(std::move(parts), options.num_threads);
}

}  // namespace npukit::kernels
