// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/microkernels/microkernels.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/sigmoid_table.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

struct Function {
  float operator()(float x) const { return 1.0f / (1.0f + std::exp(-x)); }
  // exp, a sum and a quotient. Below -9 TFLite's reference kernel gives e^x, which is larger by
  // e^2x.
  Bounded operator()(Bounded x) const {
    constexpr double kUlps = FunctionUlps::kExp + FunctionUlps::kRounded + FunctionUlps::kDivide;
    constexpr double kShortcut = -9;
    Bounded result = Monotone([](double v) { return 1.0 / (1.0 + std::exp(-v)); }, x, kUlps);
    if (x.low() < kShortcut) result.bound += std::exp(2 * std::min(x.high(), kShortcut));
    return result;
  }
};

// int16 to Q0.15, by linear interpolation with 9 fraction bits.
struct Int16Logistic {
  SigmoidArgument argument;

  int16_t operator()(int16_t x) const {
    const int32_t at = argument(x);
    const uint32_t magnitude = at < 0 ? 0u - static_cast<uint32_t>(at) : static_cast<uint32_t>(at);
    const uint32_t index = magnitude >> 9;
    uint32_t result = 0x7FFFu << 10;
    if (index < 255) {
      const uint32_t low = kSigmoidTable[index];
      result = (low << 9) + (magnitude & 0x1FF) * (kSigmoidTable[index + 1] - low);
    }
    result = at >= 0 ? result + (1u << 9) : (1u << 25) - result + (1u << 9) - 1;
    return static_cast<int16_t>(result >> 10);
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32)
    return MakeUnary<float>(node, FunctionRows{MicrokernelsFor(options.isa).logistic});
  if (type == kLiteRtElementTypeInt16) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams in, CheckedSigmoidInput(node));
    return MakeUnary<int16_t>(node, Int16Logistic{SigmoidArgumentOf(in.scale, /*most_shift=*/0)});
  }
  if (type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
    if (out.scale != 1.0f / 256)
      return InvalidNode(node, node.outputs[0], "must have the scale 1/256");
  }
  return PrepareFunction(node, Function());
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Logistic) = {
    .doc = {.formula = "1 / (1 + e^-x); 8 bits: a table of 256, int16: a table of 256 interpolated",
            .source = "TFLite LOGISTIC, reference kernels"},
    .signature = "T -> T; T = float32|float16|bfloat16|int8|uint8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
