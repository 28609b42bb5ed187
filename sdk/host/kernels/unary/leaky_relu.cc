// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

float AlphaOf(const Node& node) {
  const auto* options = node.op->OptionsAs<LeakyReluOptions>();
  return options == nullptr ? 0.0f : options->alpha;
}

// The slope below 0 may have any sign and size.
struct Function {
  float alpha = 0;
  float operator()(float x) const { return x > 0 ? x : x * alpha; }
  Bounded operator()(Bounded x) const {
    auto exact = [&](double v) { return v > 0 ? v : v * alpha; };
    const double value = exact(x.value);
    // Piecewise linear: the interval's image is spanned by its ends and 0.
    double spread = std::max(std::fabs(exact(x.low()) - value), std::fabs(exact(x.high()) - value));
    if (x.low() < 0 && x.high() > 0) spread = std::max(spread, std::fabs(value));
    return Round32(value, x.bound == 0 ? 0 : spread, x.low() > 0 ? 0 : FunctionUlps::kRounded);
  }
};

template <typename T>
struct Quantized {
  int32_t zero_in = 0;
  int32_t zero_out = 0;
  FixedMultiplier identity;
  FixedMultiplier slope;  // of |alpha|
  bool falls = false;     // alpha is negative

  T operator()(T stored) const {
    const int32_t x = stored - zero_in;
    const int32_t scaled = MultiplyByFixed(x, x >= 0 ? identity : slope);
    const int32_t out = x < 0 && falls ? -scaled : scaled;
    return static_cast<T>(std::clamp<int32_t>(
        WrappingAdd(out, zero_out), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const float alpha = AlphaOf(node);
  Quantized<T> function{.zero_in = in.zero_point, .zero_out = out.zero_point, .falls = alpha < 0};
  // Both quotients are rounded to float32.
  LITERT_ASSIGN_OR_RETURN(function.slope,
                          CheckedMultiplier(node, std::fabs(in.scale * alpha / out.scale)));
  LITERT_ASSIGN_OR_RETURN(function.identity, CheckedMultiplier(node, in.scale / out.scale));
  if (std::is_same_v<T, int16_t> && (in.zero_point != 0 || out.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  return MakeUnary<T>(node, function);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareQuantized<int8_t>(node);
    case kLiteRtElementTypeUInt8:
      return PrepareQuantized<uint8_t>(node);
    case kLiteRtElementTypeInt16:
      return PrepareQuantized<int16_t>(node);
    default:
      return PrepareFunction(node, Function{AlphaOf(node)});
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return FunctionOracle(node, inputs, outputs, Function{AlphaOf(node)});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(LeakyRelu) = {
    .doc = {.formula = "x if x > 0, else alpha x; quantised: fixed(s_in / s_out) or fixed(s_in "
                       "alpha / s_out) times x - zp_in",
            .source = "TFLite LEAKY_RELU, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
