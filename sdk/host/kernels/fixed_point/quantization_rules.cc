// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/fixed_point/quantization_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace npukit::kernels {
namespace {

litert::Expected<void> CheckScale(const Node& node, const Operand& operand, float scale) {
  if (std::isfinite(scale) && scale > 0.0f) return {};
  return InvalidNode(node, &operand,
                     fmt::format("has the scale {}; it must be positive and finite", scale));
}

litert::Expected<void> CheckZeroPoint(const Node& node, const Operand& operand,
                                      int64_t zero_point) {
  const bool wide = operand.type() == kLiteRtElementTypeInt64;
  const IntegerRange range = RangeOf(operand.type());
  if (wide ? zero_point == 0 : zero_point >= range.min && zero_point <= range.max) return {};
  return InvalidNode(
      node, &operand,
      fmt::format("has the zero point {}, which its type does not hold", zero_point));
}

}  // namespace

litert::Expected<AffineParams> PerTensorParams(const Node& node, const Operand& operand) {
  const Quantization& quantization = operand.quantization();
  if (quantization.scale.size() != 1) {
    return InvalidNode(node, &operand,
                       quantization.scale.empty()
                           ? "has no scale"
                           : "must be quantised per tensor, not per channel");
  }
  if (auto ok = CheckScale(node, operand, quantization.scale[0]); !ok) return ok.Error();
  const int64_t zero_point = quantization.ZeroPointOf(0);
  if (auto ok = CheckZeroPoint(node, operand, zero_point); !ok) return ok.Error();
  return AffineParams{.scale = quantization.scale[0],
                      .zero_point = static_cast<int32_t>(zero_point)};
}

litert::Expected<std::vector<float>> PerChannelScales(const Node& node, const Operand& operand,
                                                      int32_t dimension) {
  const Quantization& quantization = operand.quantization();
  const auto channels = static_cast<size_t>(operand.shape[dimension]);
  if (quantization.scale.size() != 1 && quantization.scale.size() != channels) {
    return InvalidNode(
        node, &operand,
        fmt::format("has {} scales for {} channels", quantization.scale.size(), channels));
  }
  if (quantization.scale.size() > 1 && quantization.quantized_dimension != dimension) {
    return InvalidNode(node, &operand,
                       fmt::format("is quantised along dimension {}, the operator needs {}",
                                   quantization.quantized_dimension, dimension));
  }
  for (float scale : quantization.scale) {
    if (auto ok = CheckScale(node, operand, scale); !ok) return ok.Error();
  }
  for (size_t i = 0; i < quantization.zero_point.size(); ++i) {
    if (quantization.zero_point[i] != 0)
      return InvalidNode(node, &operand, "must have zero points 0");
  }
  if (quantization.scale.size() == 1) return std::vector<float>(channels, quantization.scale[0]);
  return quantization.scale;
}

litert::Expected<void> CheckChannelParams(const Node& node, const Operand& operand) {
  const Quantization& quantization = operand.quantization();
  const int32_t dimension = quantization.quantized_dimension;
  if (dimension < 0 || dimension >= static_cast<int32_t>(operand.shape.size()) ||
      operand.shape[dimension] != static_cast<int64_t>(quantization.scale.size())) {
    return InvalidNode(node, &operand, "has scales that do not fit its quantised dimension");
  }
  for (size_t c = 0; c < quantization.scale.size(); ++c) {
    if (auto ok = CheckScale(node, operand, quantization.scale[c]); !ok) return ok;
    if (auto ok = CheckZeroPoint(node, operand, quantization.ZeroPointOf(c)); !ok) return ok;
  }
  return {};
}

IntegerRange RangeOf(LiteRtElementType type) {
  if (type == kElementTypeUInt4) return {0, 15};
  switch (type) {
    case kLiteRtElementTypeInt2:
      return {-2, 1};
    case kLiteRtElementTypeInt4:
      return {-8, 7};
    case kLiteRtElementTypeInt8:
      return {-128, 127};
    case kLiteRtElementTypeUInt8:
      return {0, 255};
    case kLiteRtElementTypeInt16:
      return {-32768, 32767};
    default:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
  }
}

litert::Expected<IntegerRange> ActivationRange(const Node& node, ActivationFunctionType activation,
                                               const Operand& output) {
  const FloatRange real = FloatActivationRange(activation);
  const bool is_open = real.min == std::numeric_limits<float>::lowest() &&
                       real.max == std::numeric_limits<float>::max();
  if (is_open) return RangeOf(output.type());  // needs no scale
  litert::Expected<AffineParams> params = PerTensorParams(node, output);
  if (!params) return params.Error();
  IntegerRange range = RangeOf(output.type());
  auto quantize = [&](float value) -> std::optional<int32_t> {
    const float steps = std::round(value / params->scale);
    // Also false for NaN. The sum is beyond int32 for steps that are close to it and a large zero point.
    if (!(std::fabs(steps) <= 0x1p31f - 256.0f)) return std::nullopt;
    const int64_t sum = params->zero_point + static_cast<int64_t>(steps);
    return static_cast<int32_t>(std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                                    std::numeric_limits<int32_t>::max()));
  };
  auto refuse = [&] {
    return InvalidNode(node, &output, "has too small a scale for its fused activation");
  };
  if (real.min > std::numeric_limits<float>::lowest()) {
    const std::optional<int32_t> min = quantize(real.min);
    if (!min) return refuse();
    range.min = std::max(range.min, *min);
  }
  if (real.max < std::numeric_limits<float>::max()) {
    const std::optional<int32_t> max = quantize(real.max);
    if (!max) return refuse();
    range.max = std::min(range.max, *max);
  }
  return range;
}

FloatRange FloatActivationRange(ActivationFunctionType activation) {
  switch (activation) {
    case ActivationFunctionType::kNone:
      return FloatRange{};
    case ActivationFunctionType::kRelu:
      return FloatRange{.min = 0};
    case ActivationFunctionType::kReluN1To1:
      return FloatRange{.min = -1, .max = 1};
    case ActivationFunctionType::kRelu6:
      return FloatRange{.min = 0, .max = 6};
    default:  // TANH and SIGN_BIT are not looked at, as in TFLite
      return FloatRange{};
  }
}

litert::Expected<FixedMultiplier> CheckedMultiplier(const Node& node, double real) {
  if (!std::isfinite(real) || real < 0 || real >= 0x1p31) {
    return InvalidNode(
        node,
        fmt::format("the tensors' scales give the multiplier {}, which no fixed-point number holds",
                    real));
  }
  return ToFixedMultiplier(real);
}

}  // namespace npukit::kernels
