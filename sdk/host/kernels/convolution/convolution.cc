// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/convolution/convolution.h"

#include <fmt/format.h>

#include <cstring>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/int4.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt4 = kLiteRtElementTypeInt4;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kUInt8 = kLiteRtElementTypeUInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;

// Real multiplier of each channel. Legacy uint8 kernels multiply the two scales in float32.
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
  const bool legacy =
      weights.type() == kUInt8 && convolution.requantizer == Requantizer::Kind::kFixed32;
  std::vector<double> multipliers;
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
  if (weights.type() == kInt4 && IsUnknown(weights)) {
    return UnsupportedNode(node, &weights, "must be constant to be unpacked");
  }
  return {};
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
  LITERT_ASSIGN_OR_RETURN(const std::vector<double> multipliers,
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
  for (double multiplier : multipliers) {
    LITERT_ASSIGN_OR_RETURN(const FixedMultiplier fixed, CheckedMultiplier(node, multiplier));
    if (requantizer.kind == Requantizer::Kind::kFixed64 && fixed.shift > 14) {
      return InvalidNode(
          node, fmt::format("the tensors' scales give the multiplier {}, too large for 16 bits",
                            multiplier));
    }
    requantizer.fixed.push_back(fixed);
  }
  requantizer.real = multipliers;
  return result;
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

litert::Expected<std::vector<float>> RealWeights(const Node& node, const Convolution& convolution,
                                                 std::span<const uint8_t> bytes) {
  const Operand& weights = *node.inputs[1];
  const int64_t elems = weights.elems();
  std::vector<float> real(elems);
  if (weights.type() == kFloat) {
    if (elems > 0) std::memcpy(real.data(), bytes.data(), elems * sizeof(float));
    return real;
  }
  std::vector<float> scales;
  int32_t zero_point = 0;
  if (weights.quantization().is_per_channel()) {
    LITERT_ASSIGN_OR_RETURN(scales, PerChannelScales(node, weights, convolution.channel_dimension));
  } else {
    LITERT_ASSIGN_OR_RETURN(const AffineParams params, PerTensorParams(node, weights));
    scales.assign(weights.shape[convolution.channel_dimension], params.scale);
    zero_point = params.zero_point;
  }
  std::vector<int8_t> unpacked;
  if (weights.type() == kInt4) unpacked = UnpackInt4(bytes, elems);
  const int64_t inner =
      ElemsOf(weights.shape, convolution.channel_dimension + 1, weights.shape.size());
  const auto channels = static_cast<int64_t>(scales.size());
  for (int64_t i = 0; i < elems; ++i) {
    int32_t stored = 0;
    if (weights.type() == kInt4) {
      stored = unpacked[i];
    } else if (weights.type() == kInt8) {
      stored = static_cast<int8_t>(bytes[i]);
    } else {
      stored = bytes[i];
    }
    real[i] = static_cast<float>(stored - zero_point) * scales[i / inner % channels];
  }
  return real;
}

}  // namespace npukit::kernels
