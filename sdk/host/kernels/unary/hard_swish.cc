// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <limits>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

struct Function {
  float operator()(float x) const { return x * std::min(6.0f, std::max(0.0f, x + 3.0f)) / 6.0f; }
  // Or multiplied by 1/6, itself rounded.
  Bounded operator()(Bounded x) const {
    const Bounded gate = Clamp(Add(x, {3, 0}), 0, 6);
    Bounded result = Div(Mul(x, gate), {6, 0});
    result.bound += kRoundingUnit * std::fabs(result.value);
    return result;
  }
};

int16_t Saturate(int64_t x) { return static_cast<int16_t>(std::clamp<int64_t>(x, -32768, 32767)); }

// 16-bit counterparts of SaturatingRoundingDoublingHighMul: rounded to nearest, and cut.
int16_t RoundedHighMul(int16_t a, int16_t b) {
  if (a == b && a == -32768) return 32767;
  const int32_t product = static_cast<int32_t>(a) * b;
  const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
  return static_cast<int16_t>((product + nudge) / (1 << 15));
}
int16_t CutHighMul(int16_t a, int16_t b) {
  if (a == b && a == -32768) return 32767;
  return static_cast<int16_t>(static_cast<int32_t>(a) * b / (1 << 15));
}
int16_t RoundedShiftRight(int16_t x, int bits) {
  return static_cast<int16_t>(RoundingDivideByPowerOfTwo(x, std::min(bits, 31)));
}

// A multiplier's mantissa in 16 bits.
int16_t Narrow(int32_t mantissa) {
  constexpr int32_t kHalf = 1 << 15;
  if (mantissa >= std::numeric_limits<int32_t>::max() - kHalf) return 32767;
  return static_cast<int16_t>((mantissa + kHalf) >> 16);
}

// x relu6(x + 3) / 6 on inputs shifted left by 7 bits, in 16-bit fixed point.
struct EightBitHardSwish {
  int32_t zero_in = 0;
  int32_t zero_out = 0;
  FixedMultiplier out;   // input to output scale
  FixedMultiplier gate;  // input to a scale on which 32768 is 3

  int32_t operator()(int32_t stored) const {
    const auto x = static_cast<int16_t>((stored - zero_in) * 128);
    const int16_t scaled = RoundedHighMul(x, Narrow(out.mantissa));
    int16_t g = x;
    // All but one bit of the shift come before the product, for precision: what saturates there
    // does so in the end too, as the mantissa is at least a half.
    if (gate.shift > 0) g = Saturate(static_cast<int64_t>(g) << (gate.shift - 1));
    g = RoundedHighMul(g, Narrow(gate.mantissa));
    if (gate.shift > 0) g = Saturate(static_cast<int64_t>(g) * 2);
    if (gate.shift < 0) g = RoundedShiftRight(g, -gate.shift);
    g = static_cast<int16_t>((g + (1 << 15)) >> 1);  // [-1, 1] to [0, 1]
    const int16_t product = CutHighMul(g, scaled);
    return static_cast<int16_t>(RoundedShiftRight(product, -out.shift) + zero_out);
  }
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) return PrepareFunction(node, Function());
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const float fine_scale = (1.0f / 128.0f) * in.scale;
  EightBitHardSwish function{.zero_in = in.zero_point, .zero_out = out.zero_point};
  LITERT_ASSIGN_OR_RETURN(function.out, CheckedMultiplier(node, fine_scale / out.scale));
  LITERT_ASSIGN_OR_RETURN(function.gate, CheckedMultiplier(node, fine_scale / (3.0f / 32768.0f)));
  if (function.out.shift > 0)
    return InvalidNode(node, node.outputs[0], "has too small a scale for the input's");
  if (type == kLiteRtElementTypeInt8)
    return MakeUnary<int8_t>(node, EightBitTable<int8_t>::OfStored(function));
  return MakeUnary<uint8_t>(node, EightBitTable<uint8_t>::OfStored(function));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(HardSwish) = {
    .doc = {.formula = "x min(max(x + 3, 0), 6) / 6; 8 bits: in 16-bit fixed point",
            .source = "TFLite HARD_SWISH, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = DefaultFunctionOracle<Function>,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
