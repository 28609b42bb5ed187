// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/convolution.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/packed_integers.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/graph/subgraph.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kUInt8 = kLiteRtElementTypeUInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;

// Real multiplier of each channel. Legacy uint8 kernels multiply the two scales in float32, as do
// those of int16 weights with one scale.
litert::Expected<std::vector<double>> RealMultipliers(const Node& node,
                                                      const Convolution& convolution,
                                                      const AffineParams& in,
                                                      const AffineParams& out) {
  const Operand& weights = *node.inputs[1];
  std::vector<float> scales;
  if (weights.quantization().is_per_channel()) {
    LITERT_ASSIGN_OR_RETURN(scales, PerChannelScales(node, weights, convolution.channel_dimension));
  } else {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, weights));
    scales.assign(convolution.geometry.out_channels, params.scale);
  }
  const bool one_scale = !weights.quantization().is_per_channel();
  const bool legacy =
      (weights.type() == kUInt8 && convolution.requantizer == Requantizer::Kind::kFixed32) ||
      (weights.type() == kInt16 && one_scale);
  std::vector<double> multipliers;
  multipliers.reserve(scales.size());
  for (float scale : scales) {
    const double product = legacy ? static_cast<double>(in.scale * scale)
                                  : static_cast<double>(in.scale) * static_cast<double>(scale);
    multipliers.push_back(product / static_cast<double>(out.scale));
  }
  return multipliers;
}

}  // namespace

litert::Expected<void> CheckWeights(const Node& node) {
  const Operand& weights = *node.inputs[1];
  if (IsPacked(weights.type()) && IsUnknown(weights)) {
    return UnsupportedNode(node, &weights, "must be constant to be unpacked");
  }
  return {};
}

litert::Expected<void> CheckBias(const Node& node, int64_t channels) {
  const Operand* bias = node.input(2);
  if (bias == nullptr || bias->elems() == channels) return {};
  return InvalidNode(node, bias,
                     fmt::format("must have one element per output channel: {}", channels));
}

litert::Expected<ConvQuantization> QuantizationOf(const Node& node,
                                                  const Convolution& convolution) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  const Operand& out = *node.outputs[0];
  LITERT_ASSIGN_OR_RETURN(const AffineParams in_params, PerTensorParams(node, in));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out_params, PerTensorParams(node, out));
  if (in.type() == kInt16 && (in_params.zero_point != 0 || out_params.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  ConvQuantization result{.in_zero_point = in_params.zero_point};
  if (!weights.quantization().is_per_channel()) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, weights));
    result.weight_zero_point = params.zero_point;
    const bool may_be_asymmetric =
        weights.type() == kUInt8 || convolution.requantizer == Requantizer::Kind::kReal;
    if (!may_be_asymmetric && params.zero_point != 0) {
      return InvalidNode(node, &weights, "must have the zero point 0");
    }
  }
  LITERT_ASSIGN_OR_RETURN(std::vector<double> multipliers,
                          RealMultipliers(node, convolution, in_params, out_params));
  Requantizer& requantizer = result.requantizer;
  requantizer.kind = convolution.requantizer;
  requantizer.zero_point = out_params.zero_point;
  LITERT_ASSIGN_OR_RETURN(requantizer.range, ActivationRange(node, convolution.activation, out));
  const Operand* bias = node.input(2);
  if (in.type() == kInt16) {
    requantizer.wide = bias == nullptr || bias->type() == kLiteRtElementTypeInt64;
    if (weights.type() == kInt16 ||
        (requantizer.wide && requantizer.kind == Requantizer::Kind::kFixed32)) {
      requantizer.kind = Requantizer::Kind::kFixed64;
    }
  }
  requantizer.fixed.reserve(multipliers.size());
  for (double multiplier : multipliers) {
    LITERT_ASSIGN_OR_RETURN(const FixedMultiplier fixed, CheckedMultiplier(node, multiplier));
    // MultiplyByFixed64 shifts right by 15 - shift, and needs a bit at least to round by.
    if (requantizer.kind == Requantizer::Kind::kFixed64 && fixed.shift > 14) {
      return InvalidNode(
          node, fmt::format("the tensors' scales give the multiplier {}, too large for 16 bits",
                            multiplier));
    }
    requantizer.fixed.push_back(fixed);
  }
  requantizer.real = std::move(multipliers);
  return result;
}

bool AreSignedBytes(const Node& node) {
  const Operand& weights = *node.inputs[1];
  const ZeroPoints& zero_points = weights.quantization().zero_point;
  if (node.inputs[0]->type() != kFloat || weights.type() != kUInt8) return false;
  for (size_t i = 0; i < zero_points.size(); ++i) {
    if (zero_points[i] != 0) return false;
  }
  return true;
}

std::vector<int64_t> WidenBias(LiteRtElementType type, std::span<const uint8_t> bytes) {
  const size_t size = type == kLiteRtElementTypeInt64 ? sizeof(int64_t) : sizeof(int32_t);
  std::vector<int64_t> bias(bytes.size() / size);
  for (size_t i = 0; i < bias.size(); ++i) {
    if (size == sizeof(int64_t)) {
      std::memcpy(&bias[i], bytes.data() + i * size, size);
    } else {
      int32_t value;
      std::memcpy(&value, bytes.data() + i * size, size);
      bias[i] = value;
    }
  }
  return bias;
}

namespace {

// Of weights [units, depth] that are quantised in blocks along the depth.
litert::Expected<WeightScaling> BlockScaling(const Node& node) {
  const Operand& weights = *node.inputs[1];
  const BlockwiseQuantization& blockwise = *weights.quantization().blockwise;
  const int64_t block = blockwise.block_size_elems;
  if (weights.shape.size() != 2 || block < 1 || weights.shape[1] % block != 0)
    return InvalidNode(node, &weights, "has blocks that do not divide its second dimension");
  const auto* subgraph = node.op == nullptr ? nullptr : node.op->subgraph;
  const auto index = static_cast<size_t>(blockwise.scales_tensor);
  if (subgraph == nullptr || blockwise.scales_tensor < 0 || index >= subgraph->tensors().size())
    return InvalidNode(node, &weights, "names a tensor of scales that is not there");
  const Tensor& tensor = subgraph->tensor(index);
  const auto count = static_cast<size_t>(weights.elems() / block);
  const std::span<const uint8_t> bytes = tensor.weights.bytes();
  const bool half = tensor.element_type == kLiteRtElementTypeFloat16;
  const bool known = half || tensor.element_type == kFloat;
  if (!known || bytes.size() != count * (half ? sizeof(uint16_t) : sizeof(float)))
    return InvalidNode(node, &weights, "needs a float scale for each block");
  WeightScaling result{
      .type = weights.type(), .scales = std::vector<float>(count), .elems_per_scale = block};
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits = 0;
    if (half) {
      std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
      result.scales[i] = HalfToFloat(bits);
    } else {
      std::memcpy(&result.scales[i], bytes.data() + i * sizeof(float), sizeof(float));
    }
  }
  return result;
}

int32_t StoredAt(LiteRtElementType type, std::span<const uint8_t> bytes, int64_t elem) {
  if (IsPacked(type)) return PackedAt(type, bytes, elem);
  const uint8_t byte = bytes[static_cast<size_t>(elem)];
  return type == kInt8 ? static_cast<int8_t>(byte) : byte;
}

}  // namespace

litert::Expected<WeightScaling> WeightScaling::Of(const Node& node,
                                                  const Convolution& convolution) {
  const Operand& weights = *node.inputs[1];
  if (weights.quantization().blockwise) return BlockScaling(node);
  WeightScaling scaling{.type = AreSignedBytes(node) ? kInt8 : weights.type(), .scales = {}};
  const auto channel = static_cast<size_t>(convolution.channel_dimension);
  if (weights.quantization().is_per_channel()) {
    LITERT_ASSIGN_OR_RETURN(scaling.scales,
                            PerChannelScales(node, weights, convolution.channel_dimension));
  } else {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, weights));
    scaling.scales.assign(static_cast<size_t>(weights.shape[channel]), params.scale);
    scaling.zero_point = params.zero_point;
  }
  scaling.elems_per_scale = ElemsOf(weights.shape, channel + 1, weights.shape.size());
  return scaling;
}

void WeightScaling::Apply(std::span<const uint8_t> bytes, std::span<float> real) const {
  const auto count = static_cast<int64_t>(scales.size());
  for (size_t i = 0; i < real.size(); ++i) {
    const auto elem = static_cast<int64_t>(i);
    const float scale = scales[static_cast<size_t>(elem / elems_per_scale % count)];
    real[i] = static_cast<float>(StoredAt(type, bytes, elem) - zero_point) * scale;
  }
}

litert::Expected<std::vector<float>> RealWeights(const Node& node, const Convolution& convolution,
                                                 std::span<const uint8_t> bytes) {
  const Operand& weights = *node.inputs[1];
  std::vector<float> real(static_cast<size_t>(weights.elems()));
  if (weights.type() == kFloat) {
    if (!real.empty()) std::memcpy(real.data(), bytes.data(), real.size() * sizeof(float));
    return real;
  }
  LITERT_ASSIGN_OR_RETURN(const WeightScaling scaling, WeightScaling::Of(node, convolution));
  scaling.Apply(bytes, real);
  return real;
}

}  // namespace npukit::kernels
