// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <cmath>

#include "sdk/host/kernels/elementwise/checked_input.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

ActivationFunctionType ActivationOf(const Node& node) {
  const auto* options = node.op->OptionsAs<DivOptions>();
  return options == nullptr ? ActivationFunctionType::kNone : options->fused_activation_function;
}

// The quotient by a reciprocal of three Newton steps, with all of the dividend's free bits.
struct QuantizedQuotient {
  int32_t zero_a = 0;
  int32_t zero_b = 0;
  int32_t zero_out = 0;
  FixedMultiplier scale;
  IntegerRange range;

  template <typename T>
  T operator()(T stored_a, T stored_b) const {
    int32_t a = stored_a - zero_a;
    int32_t b = stored_b - zero_b;
    if (b < 0) {
      a = -a;
      b = -b;
    }
    const Reciprocal inverse = ReciprocalOf(b, 31);
    const auto bits = static_cast<uint32_t>(a < 0 ? ~a : a);
    const int headroom = a == 0 ? 31 : std::countl_zero(bits) - 1;
    const int32_t quotient =
        SaturatingRoundingDoublingHighMul(WrappingShiftLeft(a, headroom), inverse.mantissa);
    const int right = inverse.bits_over_unit + headroom - scale.shift;
    const int32_t scaled = SaturatingRoundingDoublingHighMul(quotient, scale.mantissa);
    const int32_t out = RoundingDivideByPowerOfTwo(scaled, right);  // any exponent, see there
    return static_cast<T>(std::clamp(WrappingAdd(out, zero_out), range.min, range.max));
  }
};

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams b, PerTensorParams(node, *node.inputs[1]));
  QuantizedQuotient function{.zero_a = a.zero_point, .zero_b = b.zero_point};
  // TFLite takes an output without a scale: its multiplier is an infinity, of which converting to a
  // fixed-point number makes 0 (on x86; the C++ standard leaves it open).
  if (HasScale(*node.outputs[0])) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
    function.zero_out = out.zero_point;
    // Scales are combined in float32.
    LITERT_ASSIGN_OR_RETURN(function.scale,
                            CheckedMultiplier(node, a.scale / (b.scale * out.scale)));
  }
  LITERT_ASSIGN_OR_RETURN(function.range,
                          ActivationRange(node, ActivationOf(node), *node.outputs[0]));
  return CheckInput<T>(
      node, 1, "is 0", [zero = b.zero_point](T x) { return x != zero; },
      MakeBinary<T>(node, function));
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
      break;
  }
  const FloatRange range = FloatActivationRange(ActivationOf(node));
  if (node.outputs[0]->type() == kLiteRtElementTypeFloat32) {
    return MakeBinary<float>(
        node, [clamp = PlainRange<float>(range)](float a, float b) { return clamp(a / b); });
  }
  auto divide = [clamp = PlainRange<int32_t>(range)](int32_t a, int32_t b) {
    return clamp(b == -1 ? WrappingSub(0, a) : a / b);  // -2^31 / -1 wraps
  };
  return CheckInput<int32_t>(
      node, 1, "is 0", [](int32_t x) { return x != 0; }, MakeBinary<int32_t>(node, divide));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const FloatRange range = FloatActivationRange(ActivationOf(node));
  return BinaryOracle(node, inputs, outputs,
                      [&](Bounded a, Bounded b) { return ClampTo(range, Div(a, b)); });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Div) = {
    .doc = {.formula = "activation(a / b); integers cut towards zero; quantised: (a - zp_a) times "
                       "a fixed-point reciprocal of b - zp_b, times fixed(s_a / (s_b s_out)). "
                       "Integer divisors of 0 are an error",
            .source = "TFLite DIV, reference kernels"},
    .signature = "T, T -> T; T = float32|int8|uint8|int16|int32",
    .infer = InferBroadcast,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
