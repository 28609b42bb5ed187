// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Depthwise convolutions of 8-bit integers, a channel a lane.

#include <cstring>
#include <optional>
#include <utility>

#include "sdk/host/kernels/convolution/conv_tiling.h"
#include "sdk/host/kernels/convolution/fast_convolution.h"
#include "sdk/host/kernels/convolution/packed_weights.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

// Exact in float32 while sums stay below 2^24.
class FastIntegerDepthwiseKernel final : public Kernel {
 public:
  struct Parts {
    LiteRtElementType type;
    const Microkernels* microkernels;
    ConvTiling tiling;
    std::vector<int64_t> tap_offsets;
    // Bytes, since floats would hold four times the file's weights in memory as long as the model
    // lives (docs/kernels.md, Memory).
    std::vector<int8_t> weights;  // [taps, padded channels]; each run widens them into its scratch
    PackedRequantization requantization;
    int32_t in_zero_point;
    int32_t weight_zero_point;
    std::optional<PackedRealOutput> real_output;  // inputs are RoundedInputs
  };
  FastIntegerDepthwiseKernel(Parts parts, int num_threads) : p_(std::move(parts)) {
    weights_bytes_ = AlignedTo64(p_.weights.size() * sizeof(float));
    scratch_bytes_ = static_cast<size_t>(num_threads) * worker_bytes();
    packed_bytes_ = p_.weights.size() + p_.requantization.bytes() +
                    (p_.real_output ? p_.real_output->bytes() : 0);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    ParallelFor(context.pool, static_cast<size_t>(p_.tiling.work_items()), /*grain=*/1,
                [&](size_t begin, size_t end, int worker) {
                  // Each worker widens them for itself: to fetch them from another core takes
                  // longer.
                  uint8_t* scratch = context.scratch.data() + worker * worker_bytes();
                  auto* weights = reinterpret_cast<float*>(scratch);
                  auto* image = reinterpret_cast<float*>(scratch + weights_bytes_);
                  p_.microkernels->float_int8(p_.weights.data(),
                                              static_cast<int64_t>(p_.weights.size()),
                                              p_.weight_zero_point, weights);
                  for (size_t item = begin; item < end; ++item) {
                    RunTile(TileAt(p_.tiling, static_cast<int64_t>(item)), context, weights, image);
                  }
                });
    return {};
  }

 private:
  size_t worker_bytes() const { return weights_bytes_ + p_.tiling.image_bytes(); }

  void MakeFloatImage(const ConvTile& tile, const RunContext& context, float* image) const {
    const int32_t zero_point =
        p_.real_output ? RoundedInputs::Of(context).zero_points[tile.batch] : p_.in_zero_point;
    const ConvGeometry& geometry = p_.tiling.geometry;
    const int64_t channels = p_.tiling.image_channels;
    auto widen = [&](const uint8_t* from, int64_t count, float* to) {
      if (p_.type == kLiteRtElementTypeInt8) {
        p_.microkernels->float_int8(reinterpret_cast<const int8_t*>(from), count, zero_point, to);
      } else {
        p_.microkernels->float_uint8(from, count, zero_point, to);
      }
    };
    auto convert = [&](const uint8_t* from, int64_t pixels, float* to) {
      if (channels == geometry.in_channels) {
        widen(from, pixels * channels, to);
        return;
      }
      // Channels are repeated for each of their outputs, and padded.
      const int64_t multiplier = geometry.filters_per_group;
      for (int64_t i = 0; i < pixels; ++i, from += geometry.in_channels, to += channels) {
        widen(from, geometry.in_channels, to);
        // In place, hence from the back: o / multiplier is at most o, so what is still to be read
        // has not been written over.
        for (int64_t o = geometry.out_channels - 1; multiplier > 1 && o >= 0; --o)
          to[o] = to[o / multiplier];
      }
    };
    MakeImage(
        p_.tiling, tile, context.inputs[0].data(), image, convert,
        [&](int64_t pixels, float* to) { std::memset(to, 0, pixels * channels * sizeof(float)); });
  }

  void RunTile(const ConvTile& tile, const RunContext& context, const float* weights,
               float* image) const {
    const ConvGeometry& geometry = p_.tiling.geometry;
    MakeFloatImage(tile, context, image);
    RequantizationArgs requantization = p_.requantization.View(0);
    RealOutputArgs real;
    if (p_.real_output) {
      static constexpr int32_t kNone = 0;  // zero points are taken off in the image
      const float* scale = RoundedInputs::Of(context).scales + tile.batch;
      real = p_.real_output->View(0, scale, &kNone, 0, /*pixel_step=*/0);
      requantization.real_output = &real;
    }
    const size_t out_bytes = p_.real_output ? sizeof(float) : 1;
    const ConvGeometry::Placement placement = geometry.OutputPlacement();
    const DepthwiseArgs depthwise{
        .rows = tile.rows,
        .cols = tile.cols,
        .image = image,
        .image_row_stride =
            geometry.height.stride * p_.tiling.image_cols() * p_.tiling.image_channels,
        .image_pixel_stride = geometry.width.stride * p_.tiling.image_channels,
        .tap_offsets = p_.tap_offsets.data(),
        .taps = static_cast<int64_t>(p_.tap_offsets.size()),
        .channels = geometry.out_channels,
        .weights = weights,
        .out = context.outputs[0].data() +
               static_cast<size_t>(placement.At(tile.batch, tile.y, tile.x)) * out_bytes,
        .out_row_stride = placement.row,
        .out_pixel_stride = placement.pixel,
        .requantization = &requantization};
    p_.microkernels->depthwise(depthwise);
  }

  Parts p_;
  size_t weights_bytes_ = 0;  // of a worker's scratch; its image follows
};

FastIntegerDepthwiseKernel::Parts PackedParts(const ConvGeometry& geometry, LiteRtElementType type,
                                              const NarrowWeights& weights,
                                              const PrepareOptions& options) {
  FastIntegerDepthwiseKernel::Parts parts{.type = type,
                                          .microkernels = &MicrokernelsFor(options.isa),
                                          .weight_zero_point = weights.zero_point};
  const int64_t lanes = parts.microkernels->lanes;
  const int64_t channels = (geometry.out_channels + lanes - 1) / lanes * lanes;
  parts.tiling = PlanTiling(geometry, channels, sizeof(float), /*panels=*/1, options.num_threads);
  parts.weights.reserve(geometry.height.filter * geometry.width.filter * channels);
  for (int64_t fy = 0; fy < geometry.height.filter; ++fy) {
    for (int64_t fx = 0; fx < geometry.width.filter; ++fx) {
      parts.tap_offsets.push_back((fy * geometry.height.dilation * parts.tiling.image_cols() +
                                   fx * geometry.width.dilation) *
                                  channels);
      for (int64_t o = 0; o < channels; ++o) {
        const bool is_real = o < geometry.out_channels;
        parts.weights.push_back(is_real ? weights[geometry.WeightIndex(o, fy, fx, 0)] : int8_t{0});
      }
    }
  }
  return parts;
}

PanelLayout LayoutOf(const ConvGeometry& geometry, const Microkernels& microkernels) {
  return {.lanes = microkernels.lanes, .groups = 1, .channels_per_group = geometry.out_channels};
}

// Less their zero points, activations and weights of 8 bits reach 255.
bool SumsFit(const ConvGeometry& geometry) {
  return geometry.terms_per_output() * 255 * 255 < int64_t{1} << 24;
}

}  // namespace

std::unique_ptr<Kernel> MakeFastIntegerDepthwise(const Node& node, const Convolution& convolution,
                                                 const ConvQuantization& quantization,
                                                 const PrepareOptions& options) {
  const ConvGeometry& geometry = convolution.geometry;
  const LiteRtElementType type = node.outputs[0]->type();
  if (!IsDepthwise(geometry) || type == kLiteRtElementTypeInt16) return nullptr;
  const NarrowWeights weights = NarrowWeightsOf(node, quantization.weight_zero_point);
  if (weights.empty() || !HasConstants(node)) return nullptr;
  const std::vector<int64_t> bias = ConstantBias(node);
  if (!PackedRequantization::IsSupported(quantization.requantizer, bias)) return nullptr;
  if (!SumsFit(geometry)) return nullptr;
  FastIntegerDepthwiseKernel::Parts parts = PackedParts(geometry, type, weights, options);
  parts.in_zero_point = quantization.in_zero_point;
  parts.requantization = PackedRequantization(
      quantization.requantizer, LayoutOf(geometry, *parts.microkernels), bias, StoredTypeOf(type));
  return std::make_unique<FastIntegerDepthwiseKernel>(std::move(parts), options.num_threads);
}

std::unique_ptr<Kernel> MakeFastRoundedDepthwise(const Convolution& convolution,
                                                 const RoundedWeights& weights,
                                                 const PrepareOptions& options) {
  const ConvGeometry& geometry = convolution.geometry;
  if (!IsDepthwise(geometry) || !SumsFit(geometry)) return nullptr;
  FastIntegerDepthwiseKernel::Parts parts =
      PackedParts(geometry, kLiteRtElementTypeInt8, weights.stored, options);
  // Zeros: the images are without zero points, so there is nothing to take off the sums.
  const std::vector<int32_t> sums(static_cast<size_t>(geometry.out_channels));
  parts.real_output =
      PackedRealOutput(LayoutOf(geometry, *parts.microkernels), weights.scales, weights.bias, sums,
                       FloatActivationRange(convolution.activation));
  return std::make_unique<FastIntegerDepthwiseKernel>(std::move(parts), options.num_threads);
}

}  // namespace npukit::kernels
