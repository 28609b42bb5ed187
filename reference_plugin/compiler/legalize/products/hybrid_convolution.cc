// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/products/hybrid_convolution.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/legalize/products/computed_product.h"
#include "reference_plugin/compiler/legalize/products/rounded_activations.h"
#include "reference_plugin/compiler/legalize/products/rounded_moves.h"
#include "reference_plugin/compiler/lower/products/conv_tile.h"

namespace acme::compiler {
namespace {

// As TFLite's CONV_2D, whose kernel for scales of channels computes groups, too; DEPTHWISE_CONV_2D always.
bool RoundsAsymmetrically(const ConvolutionOperands& operands, int32_t channel_dimension) {
  const std::vector<float>& scales = operands.w.scales;
  const bool scales_differ =
      std::adjacent_find(scales.begin(), scales.end(), std::not_equal_to<>()) != scales.end();
  const bool has_groups = operands.x.value.shape[3] != operands.w.value.shape[3];
  return channel_dimension == 3 || scales_differ || has_groups;
}

int32_t Pixels(const std::vector<int32_t>& image) { return image[1] * image[2]; }

// One dimension with zeros around it, as far as windows reach.
SeenAxis WithPadding(const WindowAxis& axis) {
  SeenAxis seen{.in = axis.in, .first = axis.pad, .used = axis.in};
  const int32_t seen_elems = (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  seen.padded = std::max(axis.pad + axis.in, seen_elems);
  return seen;
}

// What windows see beyond the image is 0, which zero points do not move. The rounding is the same: 0
// is in every range. x with its zeros, or with `zero`, a value of one element, for them; `geometry`
// without padding.
ValueId AddPadding(ValueId x, ValueId zero, int32_t channels, WindowGeometry& geometry,
                   NetworkBuilder& builder) {
  const ComputedProduct image{.h = WithPadding(geometry.h),
                              .w = WithPadding(geometry.w),
                              .batches = geometry.batches,
                              .in_c = channels};
  geometry.h.in = image.h.padded;
  geometry.w.in = image.w.padded;
  geometry.h.pad = 0;
  geometry.w.pad = 0;
  const Value from = builder.network().value(x);
  if (image.h.padded == image.h.in && image.w.padded == image.w.in) return x;
  const ValueId padded = builder.AddValue(
      from.name, from.dtype, {image.batches, image.h.padded, image.w.padded, channels});
  auto move = std::make_shared<Move>(PadImage(image, x));
  for (MovePiece& piece : move->pieces) {
    if (zero != kNoValue && piece.from == kNoValue) FillWith({.value = zero}, piece);
  }
  builder.AddLayer(padded, std::move(move));
  return padded;
}

// Elements of the weights from one channel to the next.
size_t ChannelStride(const TensorInfo& w, int32_t channel_dimension) {
  const auto first = w.value.shape.begin() + channel_dimension + 1;
  return std::accumulate(first, w.value.shape.end(), size_t{1}, [](size_t elems, int32_t extent) {
    return elems * static_cast<size_t>(extent);
  });
}

ChannelWeights ReadChannels(const TensorInfo& w, int32_t channel_dimension, ValueId bias) {
  const auto channels = static_cast<size_t>(w.value.shape[static_cast<size_t>(channel_dimension)]);
  const size_t inner = ChannelStride(w, channel_dimension);
  ChannelWeights read{.scales = w.scales, .sums = std::vector<int32_t>(channels), .bias = bias};
  for (size_t i = 0; i < w.value.constant.size(); ++i)
    read.sums[i / inner % channels] += static_cast<int8_t>(w.value.constant[i]);
  read.scales.resize(channels, w.scales.front());
  return read;
}

std::vector<float> RealWeights(const TensorInfo& w, int32_t channel_dimension) {
  std::vector<float> real(static_cast<size_t>(w.value.Elems()));
  const size_t inner = ChannelStride(w, channel_dimension);
  for (size_t i = 0; i < real.size(); ++i) {
    const float scale = w.scales[i / inner % w.scales.size()];
    real[i] = static_cast<float>(static_cast<int8_t>(w.value.constant[i])) * scale;
  }
  return real;
}

// Sums less what zero points added, times the images' scales, and the bias; the last one gives
// `result`. What zero points add is scaled as the sums are, in the same order, so that one which is
// nothing else, as of a window over nothing but padding, leaves exactly 0.
void AddScaling(ValueId sums, const RoundedRows& rounded, const ChannelWeights& weights,
                const ClampRange& clamp, ValueId result, RowLayers& layers) {
  const std::vector<int32_t> y = layers.builder().network().value(result).shape;
  const int32_t units = y[3];
  const int32_t pixels = Pixels(y);
  const auto all = [&](ValueId value) { return Side{value, 1, units * pixels, units}; };
  if (rounded.zero_points != kNoValue) {
    const std::vector<float> real(weights.sums.begin(), weights.sums.end());
    const ValueId added = layers.Add(BinaryOp::kMul, {rounded.zero_points, 0, 1},
                                     {layers.Constant(real), 1, 0}, units);
    const ValueId scaled = layers.Add(BinaryOp::kMul, {added, 1, units},
                                      {layers.Constant(weights.scales), 1, 0}, units);
    sums = layers.Add(BinaryOp::kSub, all(sums), {scaled, 1, units}, units, pixels);
  }
  auto last = layers.Op(BinaryOp::kMul, all(sums), {rounded.scales, 0, 1}, units, pixels);
  if (weights.bias != kNoValue) {
    const ValueId scaled = layers.AddLayer(Dtype::kF32, units * pixels, std::move(last));
    last = layers.Op(BinaryOp::kAdd, all(scaled), {weights.bias, 1, 0}, units, pixels);
  }
  last->clamp = clamp;
  layers.builder().AddLayer(result, std::move(last));
}

}  // namespace

Expected<void> CheckHybrid(const ConvolutionOperands& operands, int32_t channel_dimension) {
  const TensorInfo& w = operands.w;
  const auto channels = static_cast<size_t>(w.value.shape[static_cast<size_t>(channel_dimension)]);
  const bool per_channel =
      w.quantized_dimension == channel_dimension && w.scales.size() == channels;
  if (w.scales.size() != 1 && !per_channel)
    return Unsupported("the weights must be quantised per tensor or per output channel");
  for (const int64_t zero_point : w.zero_points) {
    if (zero_point != 0)
      return Unsupported("weights of float32 activations must have the zero point 0");
  }
  return {};
}

Expected<void> AddHybridConvolution(const litert::Op& op, const ConvolutionOperands& operands,
                                    const Conv& whole, const Hardware& hardware,
                                    NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(ValueId x, builder.AddTensor(inputs[0]));
  const RoundedRange range = RangeOf(x, RoundsAsymmetrically(operands, 0), builder.network());
  ACME_ASSIGN_OR_RETURN(const ValueId w, builder.AddTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(const ValueId result, builder.AddTensor(op.Outputs()[0]));
  ValueId bias = kNoValue;
  if (operands.has_bias) {
    ACME_ASSIGN_OR_RETURN(bias, builder.AddTensor(inputs[2]));
  }
  const std::string name = operands.y.value.name;
  Conv product = whole;
  product.dtype = Dtype::kI8;
  product.bias = kNoValue;
  product.requantize = {};
  product.requantize.clamp = FloatActivationRange(Activation::kNone);
  // A convolution pads with a zero point that is known. Of one image, what was rounded is padded with the
  // image's; of several, each with one of its own, zeros are there before.
  const bool moves = range == RoundedRange::kAsymmetric;
  const bool one_zero =
      moves && product.geometry.batches == 1 && RecordsFit(product.out_c, hardware);
  if (moves && !one_zero) x = AddPadding(x, kNoValue, product.in_c, product.geometry, builder);
  const std::vector<int32_t> image = builder.network().value(x).shape;
  RowLayers before(name, image[0], image, builder);
  RowLayers after(name, image[0], operands.y.value.shape, builder);
  const ChannelWeights weights = ReadChannels(operands.w, 0, bias);
  const RoundedRows rounded = RoundRows(x, Pixels(image) * image[3], range, before);
  product.x = rounded.stored;
  product.act_zp = rounded.zero_point;
  product.w = w;
  // The drain scales images and adds the bias, too.
  const auto add_scaled = [&]() -> Expected<void> {
    product.row_factors = rounded.scales;
    product.requantize.clamp = whole.requantize.clamp;
    if (!ConvFits(product, hardware)) return DoesNotFit(hardware);
    builder.AddLayer(result, std::make_shared<Conv>(std::move(product)));
    return {};
  };
  if (one_zero) {
    product.x = AddPadding(rounded.stored, rounded.stored_zero_points, product.in_c,
                           product.geometry, builder);
    const ChannelRecords records = AddRecords(rounded, weights, /*with_row_scale=*/false, after);
    product.scales_and_biases = records.value;
    product.offsets = records.offsets;
    return add_scaled();
  }
  product.sum_scales = after.Constant(weights.scales);
  // Constant records are made of constants.
  const bool known = bias == kNoValue || builder.network().value(bias).is_constant();
  if (rounded.zero_points == kNoValue && known) {
    product.bias = bias;
    return add_scaled();
  }
  if (!ConvFits(product, hardware)) return DoesNotFit(hardware);
  const ValueId sums = builder.AddValue(name, Dtype::kF32, operands.y.value.shape);
  builder.AddLayer(sums, std::make_shared<Conv>(product));
  AddScaling(sums, rounded, weights, whole.requantize.clamp, result, after);
  return {};
}

bool RoundsDepthwise(const Depthwise& whole, const Hardware& hardware) {
  return whole.geometry.batches == 1 && RecordsFit(whole.out_c(), hardware);
}

Expected<Depthwise> AddRoundedDepthwise(const litert::Op& op, const ConvolutionOperands& operands,
                                        const Depthwise& whole, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  const std::vector<int32_t> image = builder.network().value(x).shape;
  const RoundedRange range = RangeOf(x, RoundsAsymmetrically(operands, 3), builder.network());
  RowLayers layers(operands.y.value.name, image[0], image, builder);
  const RoundedRows rounded = RoundRows(x, Pixels(image) * image[3], range, layers);
  Depthwise product = whole;
  product.dtype = Dtype::kI8;
  product.x = rounded.stored;
  product.act_zp = rounded.zero_point;
  if (range == RoundedRange::kAsymmetric) {
    product.x = AddPadding(rounded.stored, rounded.stored_zero_points, product.in_c,
                           product.geometry, builder);
  }
  const ChannelRecords records =
      AddRecords(rounded, ReadChannels(operands.w, 3, whole.bias), /*with_row_scale=*/true, layers);
  product.scales_and_biases = records.value;
  product.offsets = records.offsets;
  product.bias = kNoValue;
  return product;
}

Expected<RealOperands> AddRealOperands(const litert::Op& op, const ConvolutionOperands& operands,
                                       int32_t channel_dimension, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const ValueId x, builder.AddTensor(op.Inputs()[0]));
  const std::vector<int32_t>& image = operands.x.value.shape;
  RowLayers layers(operands.y.value.name, image[0], image, builder);
  const int32_t depth = Pixels(image) * image[3];
  const RoundedRange range =
      RangeOf(x, RoundsAsymmetrically(operands, channel_dimension), builder.network());
  const RoundedRows rounded = RoundRows(x, depth, range, layers);
  RealOperands real;
  real.x = AddRealRows(rounded, depth, layers);
  real.w = builder.AddNumbers(operands.w.value.name, Dtype::kF32, operands.w.value.shape,
                              RealWeights(operands.w, channel_dimension));
  return real;
}

}  // namespace acme::compiler
