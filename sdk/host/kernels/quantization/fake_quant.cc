// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"

namespace npukit::kernels {
namespace {

// Rounds to 2^bits steps from min to max, moved so that 0 is one of them: a range beside 0 to its
// nearer end. All in float32, as TFLite does.
struct FakeQuantization {
  float scale = 1;
  float min = 0;
  float max = 0;

  float operator()(float x) const {
    const float shifted = std::min(max, std::max(min, x)) - min;
    return std::round(shifted * (1.0f / scale)) * scale + min;
  }
};

litert::Expected<FakeQuantization> QuantizationOf(const Node& node) {
  const auto* options = node.op->OptionsAs<FakeQuantOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  if (options->narrow_range) return UnsupportedNode(node, "a narrow range is not supported");
  if (options->num_bits < 2 || options->num_bits > 16)
    return InvalidNode(node, "must have from 2 to 16 bits");
  if (!(options->min < options->max) || !std::isfinite(options->max - options->min))
    return InvalidNode(node, "must have a finite range that is not empty");
  const auto steps = static_cast<float>((1 << options->num_bits) - 1);
  FakeQuantization result{.scale = (options->max - options->min) / steps};
  const float zero_point = std::round(std::clamp(0.0f - options->min / result.scale, 0.0f, steps));
  result.min = (0.0f - zero_point) * result.scale;
  result.max = (steps - zero_point) * result.scale;
  return result;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(QuantizationOf(node));
  return InferSameShape(node);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const FakeQuantization quantization, QuantizationOf(node));
  return MakeUnary<float>(node, quantization);
}

// A number near the middle between two steps may go to either.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const FakeQuantization quantization, QuantizationOf(node));
  const double scale = quantization.scale;
  return UnaryOracle(inputs, outputs, [&](Bounded x) {
    const double doubt = x.bound + 4 * kRoundingUnit * (std::fabs(x.value) + scale);
    auto step = [&](double value) {
      const double inside = std::clamp<double>(value, quantization.min, quantization.max);
      return std::round((inside - quantization.min) / scale);
    };
    const double at = step(x.value);
    const double apart = std::max(step(x.value + doubt) - at, at - step(x.value - doubt));
    return Round32(at * scale + quantization.min, apart * scale, 2);
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(FakeQuant) = {
    .doc = {.formula =
                "x clamped to the range and rounded to one of 2^num_bits steps, of which one is "
                "0",
            .source = "TFLite FAKE_QUANT"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
