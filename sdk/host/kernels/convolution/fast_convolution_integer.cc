// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions of integers by panels of output channels.

#include <cstdlib>
#include <cstring>
#include <limits>

#include "sdk/host/kernels/convolution/conv_tiling.h"
#include "sdk/host/kernels/convolution/fast_convolution.h"
#include "sdk/host/kernels/convolution/packed_weights.h"
#include "sdk/host/kernels/fixed_point/microkernel_params.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/thread_pool.h"

namespace npukit::kernels {
namespace {

template <typename Fn>
void ForEachWeight(const ConvGeometry& geometry, int64_t o, Fn fn) {
  for (int64_t fy = 0; fy < geometry.height.filter; ++fy) {
    for (int64_t fx = 0; fx < geometry.width.filter; ++fx) {
      for (int64_t c = 0; c < geometry.channels_per_filter; ++c)
        fn(geometry.WeightIndex(o, fy, fx, c));
    }
  }
}

// Whether sums of int16 activations fit into int32 wherever TFLite sums in int64.
bool WideSumsFit(const ConvGeometry& geometry, const ConvQuantization& quantization,
                 const NarrowWeights& weights, const std::vector<int64_t>& bias) {
  const Requantizer& requantizer = quantization.requantizer;
  const bool wide = requantizer.kind == Requantizer::Kind::kFixed64 || requantizer.wide;
  if (!wide) return true;
  for (int64_t o = 0; o < geometry.out_channels; ++o) {
    int64_t reach =
        requantizer.kind == Requantizer::Kind::kReal && !bias.empty() ? std::abs(bias[o]) : 0;
    ForEachWeight(geometry, o, [&](int64_t index) {
      reach +=
          32768 * static_cast<int64_t>(std::abs(weights[index] - quantization.weight_zero_point));
    });
    if (reach > std::numeric_limits<int32_t>::max()) return false;
  }
  return true;
}

int64_t OutElemBytes(LiteRtElementType type) { return type == kLiteRtElementTypeInt16 ? 2 : 1; }

// Images are int16 with the zero point taken off, or uint8 (int8 plus 128), whose zero point the
// bias takes off.
class FastIntegerConvKernel final : public Kernel {
 public:
  struct Parts {
    LiteRtElementType type;
    const Microkernels* microkernels;
    ConvTiling tiling;
    ConvRuns runs;
    PanelLayout layout;
    PackedArray<int8_t> weights;
    std::vector<uint32_t> row_ones;
    PackedRequantization requantization;
    int32_t in_zero_point;
    int32_t weight_offset;
  };
  FastIntegerConvKernel(Parts parts, int num_threads) : p_(std::move(parts)) {
    scratch_bytes_ = static_cast<size_t>(num_threads) * p_.tiling.image_bytes();
    packed_bytes_ =
        p_.weights.size() + p_.row_ones.size() * sizeof(uint32_t) + p_.requantization.bytes();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    ParallelFor(context.pool, static_cast<size_t>(p_.tiling.work_items()), /*grain=*/1,
                [&](size_t begin, size_t end, int worker) {
                  uint8_t* image = context.scratch.data() + worker * p_.tiling.image_bytes();
                  for (size_t item = begin; item < end; ++item) {
                    RunTile(TileAt(p_.tiling, static_cast<int64_t>(item)), context.inputs[0].data(),
                            image, context.outputs[0].data());
                  }
                });
    return {};
  }

 private:
  const void* Image(const ConvTile& tile, const uint8_t* in, uint8_t* scratch) const {
    const int64_t channels = p_.tiling.image_channels;
    if (p_.microkernels->byte_images && p_.type != kLiteRtElementTypeInt16) {
      const bool is_signed = p_.type == kLiteRtElementTypeInt8;
      const int fill = is_signed ? p_.in_zero_point + 128 : p_.in_zero_point;
      MakeImage(
          p_.tiling, tile, in, scratch,
          [&](const uint8_t* from, int64_t pixels, uint8_t* to) {
            if (is_signed) {
              p_.microkernels->bias_int8(reinterpret_cast<const int8_t*>(from), pixels * channels,
                                         to);
            } else {
              std::memcpy(to, from, pixels * channels);
            }
          },
          [&](int64_t pixels, uint8_t* to) { std::memset(to, fill, pixels * channels); });
      return scratch;
    }
    auto* image = reinterpret_cast<int16_t*>(scratch);
    auto fill = [&](int64_t pixels, int16_t* to) {
      std::memset(to, 0, pixels * channels * sizeof(int16_t));
    };
    if (p_.type == kLiteRtElementTypeInt8) {
      MakeImage(
          p_.tiling, tile, reinterpret_cast<const int8_t*>(in), image,
          [&](const int8_t* from, int64_t pixels, int16_t* to) {
            p_.microkernels->widen_int8(from, pixels * channels, p_.in_zero_point, to);
          },
          fill);
    } else if (p_.type == kLiteRtElementTypeUInt8) {
      MakeImage(
          p_.tiling, tile, in, image,
          [&](const uint8_t* from, int64_t pixels, int16_t* to) {
            p_.microkernels->widen_uint8(from, pixels * channels, p_.in_zero_point, to);
          },
          fill);
    } else {
      MakeImage(
          p_.tiling, tile, reinterpret_cast<const int16_t*>(in), image,
          [&](const int16_t* from, int64_t pixels, int16_t* to) {
            std::memcpy(to, from, pixels * channels * sizeof(int16_t));
          },
          fill);
    }
    return image;
  }

  void RunTile(const ConvTile& tile, const uint8_t* in, uint8_t* scratch, uint8_t* out) const {
    const ConvGeometry& geometry = p_.tiling.geometry;
    const int64_t out_row = geometry.width.out * geometry.out_channels;
    const int64_t first_out =
        (tile.batch * geometry.height.out + tile.y) * out_row + tile.x * geometry.out_channels;
    const bool bytes = p_.microkernels->byte_images && p_.type != kLiteRtElementTypeInt16;
    const int64_t image_elem_bytes = bytes ? 1 : 2;
    IntegerConvArgs conv{
        .tile = {.rows = tile.rows,
                 .cols = tile.cols,
                 .image = Image(tile, in, scratch),
                 .image_row_stride =
                     geometry.height.stride * p_.tiling.image_cols() * p_.tiling.image_channels,
                 .image_pixel_stride = geometry.width.stride * p_.tiling.image_channels,
                 .run_offsets = p_.runs.offsets.data(),
                 .runs = static_cast<int64_t>(p_.runs.offsets.size()),
                 .run_elems = p_.runs.padded_elems,
                 .out_row_stride = out_row,
                 .out_pixel_stride = geometry.out_channels},
        .panel_bytes =
            static_cast<int64_t>(p_.runs.offsets.size()) * p_.runs.padded_elems * p_.layout.lanes,
        .weight_offset = p_.weight_offset,
        .row_ones = p_.row_ones.data()};
    const auto* image = static_cast<const uint8_t*>(conv.tile.image);
    const int64_t panels_per_group = p_.layout.padded_per_group() / p_.layout.lanes;
    for (int64_t g = 0; g < p_.layout.groups; ++g) {
      conv.tile.image = image + g * geometry.channels_per_filter * image_elem_bytes;
      conv.tile.out = out + (first_out + g * geometry.filters_per_group) * OutElemBytes(p_.type);
      conv.weights = p_.weights.data() + g * panels_per_group * conv.panel_bytes;
      conv.requantization = p_.requantization.View(g * p_.layout.padded_per_group());
      const int64_t split_panels =
          (panels_per_group + p_.tiling.channel_splits - 1) / p_.tiling.channel_splits;
      conv.tile.first_channel = tile.split * split_panels * p_.layout.lanes;
      conv.tile.end_channel = std::min(conv.tile.first_channel + split_panels * p_.layout.lanes,
                                       geometry.filters_per_group);
      if (conv.tile.first_channel < conv.tile.end_channel) p_.microkernels->integer_conv(conv);
    }
  }

  Parts p_;
};

// The constant terms of sum (a - za)(w - zw) with za taken off here, and with zw taken off by the
// row sums: bias - za sum(w) + n za zw.
template <typename Spent>
void FoldZeroPoints(const ConvGeometry& geometry, const NarrowWeights& weights,
                    int64_t image_zero_point, std::vector<int64_t>& bias, Spent spent) {
  SpentElems<int8_t, Spent> spent_elems(spent);
  bias.resize(geometry.out_channels, 0);
  for (int64_t o = 0; o < geometry.out_channels; ++o) {
    int64_t sum = 0;
    ForEachWeight(geometry, o, [&](int64_t index) { sum += weights[index]; });
    const int64_t folded = bias[o] - image_zero_point * sum +
                           geometry.terms_per_output() * image_zero_point * weights.zero_point;
    bias[o] = static_cast<int32_t>(folded);  // the accumulator wraps too
    spent_elems.Reach((o + 1) * geometry.weight_stride.o);
  }
}

// One in every byte of a run that holds a real element.
std::vector<uint32_t> RowOnes(const ConvRuns& runs) {
  std::vector<uint32_t> ones;
  for (size_t run = 0; run < runs.offsets.size(); ++run) {
    for (int64_t k = 0; k < runs.padded_elems; k += 4) {
      const int64_t real = std::clamp<int64_t>(runs.elems - k, 0, 4);
      ones.push_back(real == 4 ? 0x01010101u : 0x01010101u & ((1u << (8 * real)) - 1));
    }
  }
  return ones;
}

}  // namespace

std::unique_ptr<Kernel> MakeFastIntegerConv(const Node& node, const Convolution& convolution,
                                            const ConvQuantization& quantization,
                                            const PrepareOptions& options) {
  const NarrowWeights weights = NarrowWeightsOf(node, quantization);
  if (weights.empty() || !HasConstants(node) || convolution.geometry.transposed) return nullptr;
  std::vector<int64_t> bias = ConstantBias(node);
  const LiteRtElementType type = node.outputs[0]->type();
  const ConvGeometry geometry = Flattened(convolution.geometry);
  if (!PackedRequantization::IsSupported(quantization.requantizer, bias)) return nullptr;
  if (type == kLiteRtElementTypeInt16 && !WideSumsFit(geometry, quantization, weights, bias))
    return nullptr;

  // int16 activations need int16 images, which the byte path does not read.
  CpuIsa isa = options.isa;
  if (type == kLiteRtElementTypeInt16 && MicrokernelsFor(isa).byte_images) isa = CpuIsa::kAvx512;
  FastIntegerConvKernel::Parts parts{.type = type,
                                     .microkernels = &MicrokernelsFor(isa),
                                     .in_zero_point = quantization.in_zero_point};
  const bool bytes = parts.microkernels->byte_images;
  const int64_t group = bytes ? 4 : 2;
  parts.layout = PanelLayout::Of(geometry, parts.microkernels->lanes);
  const int64_t splits = parts.layout.groups == 1 ? parts.layout.panels() : 1;
  parts.tiling =
      PlanTiling(geometry, geometry.in_channels, bytes ? 1 : 2, splits, options.num_threads);
  parts.runs = ConvRuns::Of(geometry, parts.tiling.image_cols(), group);
  const auto spent = [&](int64_t count) {
    if (options.spent && weights.unpacked.empty()) options.spent(*node.inputs[1], count);
  };
  int8_t filler = 0;
  if (bytes) {
    const int32_t image_zero_point =
        quantization.in_zero_point + (type == kLiteRtElementTypeInt8 ? 128 : 0);
    FoldZeroPoints(geometry, weights, image_zero_point, bias, spent);
    parts.weight_offset = weights.zero_point;
    if (weights.zero_point != 0) parts.row_ones = RowOnes(parts.runs);
  } else {
    parts.weight_offset = -weights.zero_point;
    filler = static_cast<int8_t>(weights.zero_point);  // plus the offset: 0
  }
  parts.weights = PackPanels<int8_t>(
      geometry, parts.runs, parts.layout, group, filler,
      [&](int64_t index) { return weights[index]; }, spent);
  parts.requantization =
      PackedRequantization(quantization.requantizer, parts.layout, bias, StoredTypeOf(type));
  return std::make_unique<FastIntegerConvKernel>(std::move(parts), options.num_threads);
}

}  // namespace npukit::kernels
