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
  float operator()(float x) const { return std::tanh(x); }
  Bounded operator()(Bounded x) const {
    return Monotone([](double v) { return std::tanh(v); }, x, FunctionUlps::kTanh);
  }
};

// int16 to Q0.15 as 2 logistic(2x) - 1, by linear interpolation with 8 fraction bits.
struct Int16Tanh {
  SigmoidArgument argument;

  int16_t operator()(int16_t x) const {
    const int32_t at = argument(x);
    const uint32_t magnitude = at < 0 ? 0u - static_cast<uint32_t>(at) : static_cast<uint32_t>(at);
    const uint32_t index = magnitude >> 8;
    int32_t result = 0xFFFF << 8;
    if (index < 255) {
      const int32_t low = kSigmoidTable[index];
      result =
          (low << 8) + static_cast<int32_t>(magnitude & 0xFF) * (kSigmoidTable[index + 1] - low);
    }
    constexpr int32_t kHalf = 1 << 23;
    result = at >= 0 ? result - kHalf + (1 << 7) : kHalf - result + (1 << 7) - 1;
    return static_cast<int16_t>(result >> 8);
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  if (node.outputs[0]->type() == kLiteRtElementTypeFloat32)
    return MakeUnary<float>(node, FunctionRows{MicrokernelsFor(options.isa).tanh});
  if (node.outputs[0]->type() != kLiteRtElementTypeInt16) return PrepareFunction(node, Function());
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, CheckedSigmoidInput(node));
  return MakeUnary<int16_t>(node, Int16Tanh{SigmoidArgumentOf(in.scale, /*most_shift=*/1)});
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Tanh) = {
    .doc = {.formula = "tanh(x); 8 bits: a table of 256, int16: a table of 256 interpolated",
            .source = "TFLite TANH, reference kernels"},
    .signature = "T -> T; T = float32|float16|bfloat16|int8|uint8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
