// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Convolutions of integers by panels of output channels.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

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

// More than this for the wider panels of a newer instruction set is not worth its speed.
constexpr int64_t kMostPaddingBytes = int64_t{16} << 10;

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
    // A bound on all partial sums, of any input. The bias of kReal is added in int32 as well; that
    // of kFixed64 in int64, when the sum is done.
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

int64_t ElemBytes(LiteRtElementType type) { return type == kLiteRtElementTypeInt16 ? 2 : 1; }

// Images are int16 with the zero point taken off, or uint8 (int8 plus 128), whose zero point the
// bias takes off. With RoundedInputs, zero points stay in the images and are taken off the sums.
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
    std::optional<PackedRealOutput> real_output;  // inputs are RoundedInputs
    bool scale_per_pixel = false;                 // else per batch
  };
  FastIntegerConvKernel(Parts parts, int num_threads) : p_(std::move(parts)) {
    scratch_bytes_ = static_cast<size_t>(num_threads) * p_.tiling.image_bytes();
    packed_bytes_ = p_.weights.size() + p_.row_ones.size() * sizeof(uint32_t) +
                    p_.requantization.bytes() + (p_.real_output ? p_.real_output->bytes() : 0);
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    ParallelFor(context.pool, static_cast<size_t>(p_.tiling.work_items()), /*grain=*/1,
                [&](size_t begin, size_t end, int worker) {
                  uint8_t* image = context.scratch.data() + worker * p_.tiling.image_bytes();
                  for (size_t item = begin; item < end; ++item) {
                    RunTile(TileAt(p_.tiling, static_cast<int64_t>(item)), context, image);
                  }
                });
    return {};
  }

 private:
  bool has_byte_image() const {
    return p_.microkernels->byte_images && p_.type != kLiteRtElementTypeInt16;
  }

  const void* Image(const ConvTile& tile, const RunContext& context, uint8_t* scratch) const {
    const uint8_t* in = context.inputs[0].data();
    const int64_t channels = p_.tiling.image_channels;
    const int32_t zero_point =
        p_.real_output ? RoundedInputs::Of(context).zero_points[tile.batch] : p_.in_zero_point;
    if (has_byte_image()) {
      const bool is_signed = p_.type == kLiteRtElementTypeInt8;
      // Padding stands for the real number 0. It is the zero point that the bias, or the sums'
      // correction, takes off again.
      const int fill = is_signed ? zero_point + 128 : zero_point;
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
    const int32_t taken_off = p_.real_output ? 0 : zero_point;
    auto fill = [&](int64_t pixels, int16_t* to) {
      std::fill_n(to, pixels * channels, static_cast<int16_t>(zero_point - taken_off));
    };
    if (p_.type == kLiteRtElementTypeInt8) {
      MakeImage(
          p_.tiling, tile, reinterpret_cast<const int8_t*>(in), image,
          [&](const int8_t* from, int64_t pixels, int16_t* to) {
            p_.microkernels->widen_int8(from, pixels * channels, taken_off, to);
          },
          fill);
    } else if (p_.type == kLiteRtElementTypeUInt8) {
      MakeImage(
          p_.tiling, tile, in, image,
          [&](const uint8_t* from, int64_t pixels, int16_t* to) {
            p_.microkernels->widen_uint8(from, pixels * channels, taken_off, to);
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

  // Where floats come out. A pixel is a batch where scales are per pixel.
  RealOutputArgs RealOutputOf(const ConvTile& tile, const RunContext& context,
                              int64_t first_channel) const {
    const RoundedInputs rounded = RoundedInputs::Of(context);
    const int64_t first = p_.scale_per_pixel ? tile.x : tile.batch;
    return p_.real_output->View(first_channel, rounded.scales + first, rounded.zero_points + first,
                                has_byte_image() ? 128 : 0, p_.scale_per_pixel ? 1 : 0);
  }

  void RunTile(const ConvTile& tile, const RunContext& context, uint8_t* scratch) const {
    uint8_t* out = context.outputs[0].data();
    const ConvGeometry& geometry = p_.tiling.geometry;
    const ConvGeometry::Placement placement = geometry.OutputPlacement();
    const int64_t first_out = placement.At(tile.batch, tile.y, tile.x);
    const int64_t image_elem_bytes = has_byte_image() ? 1 : 2;
    const int64_t out_bytes = p_.real_output ? sizeof(float) : ElemBytes(p_.type);
    IntegerConvArgs conv{
        .tile = {.rows = tile.rows,
                 .cols = tile.cols,
                 .image = Image(tile, context, scratch),
                 .image_row_stride =
                     geometry.height.stride * p_.tiling.image_cols() * p_.tiling.image_channels,
                 .image_pixel_stride = geometry.width.stride * p_.tiling.image_channels,
                 .run_offsets = p_.runs.offsets.data(),
                 .runs = static_cast<int64_t>(p_.runs.offsets.size()),
                 .run_elems = p_.runs.padded_elems,
                 .out_row_stride = placement.row,
                 .out_pixel_stride = placement.pixel},
        .panel_bytes =
            static_cast<int64_t>(p_.runs.offsets.size()) * p_.runs.padded_elems * p_.layout.lanes,
        .weight_offset = p_.weight_offset,
        .row_ones = p_.row_ones.data()};
    const auto* image = static_cast<const uint8_t*>(conv.tile.image);
    const int64_t panels_per_group = p_.layout.padded_per_group() / p_.layout.lanes;
    for (int64_t g = 0; g < p_.layout.groups; ++g) {
      conv.tile.image = image + g * geometry.channels_per_filter * image_elem_bytes;
      conv.tile.out = out + (first_out + g * geometry.filters_per_group) * out_bytes;
      conv.weights = p_.weights.data() + g * panels_per_group * conv.panel_bytes;
      const int64_t first_channel = g * p_.layout.padded_per_group();
      RealOutputArgs real;
      if (p_.real_output) {
        real = RealOutputOf(tile, context, first_channel);
        conv.requantization.real_output = &real;
      } else {
        conv.requantization = p_.requantization.View(first_channel);
      }
      // The last part has what is left, which may be nothing.
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

// Told how many weights are not needed any more (SpentElems), where they are read from the file.
std::function<void(int64_t)> SpentOf(const Node& node, const NarrowWeights& weights,
                                     const PrepareOptions& options) {
  if (!options.spent || !weights.unpacked.empty()) return [](int64_t) {};
  return [&node, spent = options.spent](int64_t count) { spent(*node.inputs[1], count); };
}

// By output channel.
std::vector<int64_t> WeightSums(const ConvGeometry& geometry, const NarrowWeights& weights,
                                std::function<void(int64_t)> spent) {
  SpentElems<int8_t, std::function<void(int64_t)>> spent_elems(spent);
  std::vector<int64_t> sums(static_cast<size_t>(geometry.out_channels));
  for (int64_t o = 0; o < geometry.out_channels; ++o) {
    int64_t& sum = sums[static_cast<size_t>(o)];
    ForEachWeight(geometry, o, [&](int64_t index) { sum += weights[index]; });
    spent_elems.Reach((o + 1) * geometry.weight_stride.o);
  }
  return sums;
}

// The constant terms of sum (a - za)(w - zw) with za taken off here, and with zw taken off by the
// row sums: bias - za sum(w) + n za zw.
void FoldZeroPoints(const ConvGeometry& geometry, const std::vector<int64_t>& weight_sums,
                    int64_t weight_zero_point, int64_t image_zero_point,
                    std::vector<int64_t>& bias) {
  bias.resize(weight_sums.size(), 0);
  for (size_t o = 0; o < weight_sums.size(); ++o) {
    const int64_t folded = bias[o] - image_zero_point * weight_sums[o] +
                           geometry.terms_per_output() * image_zero_point * weight_zero_point;
    bias[o] = static_cast<int32_t>(folded);  // the accumulator wraps too
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

// Bytes of weights with what pads their panels.
int64_t PackedBytes(const ConvGeometry& geometry, CpuIsa isa) {
  return PanelLayout::Of(geometry, MicrokernelsFor(isa).lanes).padded_channels() *
         geometry.terms_per_output();
}

// The instruction set whose loops compute it.
CpuIsa IsaOf(const ConvGeometry& geometry, LiteRtElementType type, CpuIsa best) {
  // int16 activations need int16 images, which the byte path does not read.
  if (type == kLiteRtElementTypeInt16 && MicrokernelsFor(best).byte_images) best = CpuIsa::kAvx512;
  // Few channels with many weights each (classifiers) would be padding for the most part.
  const bool is_narrower_smaller =
      best > CpuIsa::kAvx2 &&
      PackedBytes(geometry, best) - PackedBytes(geometry, CpuIsa::kAvx2) > kMostPaddingBytes;
  return is_narrower_smaller && geometry.filters_per_group <= MicrokernelsFor(CpuIsa::kAvx2).lanes
             ? CpuIsa::kAvx2
             : best;
}

// What the integers of both kinds of output need: the loops, tiles and packed weights.
FastIntegerConvKernel::Parts PackedParts(const Node& node, const ConvGeometry& geometry,
                                         LiteRtElementType type, const NarrowWeights& weights,
                                         const PrepareOptions& options) {
  FastIntegerConvKernel::Parts parts{
      .type = type, .microkernels = &MicrokernelsFor(IsaOf(geometry, type, options.isa))};
  const bool bytes = parts.microkernels->byte_images;
  const int64_t group = bytes ? 4 : 2;
  parts.layout = PanelLayout::Of(geometry, parts.microkernels->lanes);
  const int64_t splits = parts.layout.groups == 1 ? parts.layout.panels() : 1;
  parts.tiling =
      PlanTiling(geometry, geometry.in_channels, bytes ? 1 : 2, splits, options.num_threads);
  parts.runs = ConvRuns::Of(geometry, parts.tiling.image_cols(), group);
  int8_t filler = 0;
  if (bytes) {
    // Padded positions hold 0 in weights and in row_ones, so that whatever the image has there
    // counts neither in products nor in sums of rows.
    parts.weight_offset = weights.zero_point;
    if (weights.zero_point != 0) parts.row_ones = RowOnes(parts.runs);
  } else {
    parts.weight_offset = -weights.zero_point;
    filler = static_cast<int8_t>(weights.zero_point);  // plus the offset: 0
  }
  const auto spent = SpentOf(node, weights, options);
  parts.weights = PackPanels<int8_t>(
      geometry, parts.runs, parts.layout, group, filler,
      [&](int64_t index) { return weights[index]; }, spent);
  return parts;
}

}  // namespace

std::unique_ptr<Kernel> MakeFastIntegerConv(const Node& node, const Convolution& convolution,
                                            const ConvQuantization& quantization,
                                            const PrepareOptions& options) {
  const NarrowWeights weights = NarrowWeightsOf(node, quantization.weight_zero_point);
  if (weights.empty() || !HasConstants(node) || convolution.geometry.transposed) return nullptr;
  std::vector<int64_t> bias = ConstantBias(node);
  const LiteRtElementType type = node.outputs[0]->type();
  const ConvGeometry geometry = Flattened(convolution.geometry);
  if (!PackedRequantization::IsSupported(quantization.requantizer, bias)) return nullptr;
  if (type == kLiteRtElementTypeInt16 && !WideSumsFit(geometry, quantization, weights, bias))
    return nullptr;
  FastIntegerConvKernel::Parts parts = PackedParts(node, geometry, type, weights, options);
  parts.in_zero_point = quantization.in_zero_point;
  if (parts.microkernels->byte_images) {
    const int32_t image_zero_point =
        quantization.in_zero_point + (type == kLiteRtElementTypeInt8 ? 128 : 0);
    FoldZeroPoints(geometry, WeightSums(geometry, weights, SpentOf(node, weights, options)),
                   weights.zero_point, image_zero_point, bias);
  }
  parts.requantization =
      PackedRequantization(quantization.requantizer, parts.layout, bias, StoredTypeOf(type));
  return std::make_unique<FastIntegerConvKernel>(std::move(parts), options.num_threads);
}

std::unique_ptr<Kernel> MakeFastRoundedConv(const Node& node, const Convolution& convolution,
                                            const RoundedWeights& weights,
                                            const PrepareOptions& options) {
  if (convolution.geometry.transposed) return nullptr;
  const ConvGeometry& whole = convolution.geometry;
  // Pixels of several images in one row must not share a scale.
  const bool is_flat = whole.batches == 1 || whole.height.in * whole.width.in == 1;
  const ConvGeometry geometry = is_flat ? Flattened(whole) : whole;
  FastIntegerConvKernel::Parts parts =
      PackedParts(node, geometry, kLiteRtElementTypeInt8, weights.stored, options);
  parts.in_zero_point = 0;
  parts.scale_per_pixel = whole.batches > 1 && geometry.batches == 1;
  // sum (a - za)(w - zw) = sum a (w - zw) - za (sum w - n zw). The loops give the first, whose zw
  // they take off themselves; za, known when the op runs, times this is taken off as sums become
  // real.
  const int64_t zero_points = geometry.terms_per_output() * weights.stored.zero_point;
  std::vector<int32_t> sums;
  for (const int64_t sum :
       WeightSums(geometry, weights.stored, SpentOf(node, weights.stored, options)))
    sums.push_back(static_cast<int32_t>(sum - zero_points));
  parts.real_output = PackedRealOutput(parts.layout, weights.scales, weights.bias, sums,
                                       FloatActivationRange(convolution.activation));
  return std::make_unique<FastIntegerConvKernel>(std::move(parts), options.num_threads);
}

}  // namespace npukit::kernels
