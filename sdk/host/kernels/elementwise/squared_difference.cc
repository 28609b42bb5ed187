// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

constexpr int kLeftShift = 7;

// Both are scaled to twice the larger input scale, as for SUB.
struct Quantized {
  int32_t zero_a = 0;
  int32_t zero_b = 0;
  int32_t zero_out = 0;
  FixedMultiplier scale_a;
  FixedMultiplier scale_b;
  FixedMultiplier scale_out;

  int8_t operator()(int8_t a, int8_t b) const {
    const int32_t from_a = MultiplyByFixed((a - zero_a) * (1 << kLeftShift), scale_a);
    const int32_t from_b = MultiplyByFixed((b - zero_b) * (1 << kLeftShift), scale_b);
    const int32_t difference = WrappingSub(from_a, from_b);
    const int32_t out = MultiplyByFixed(WrappingMul(difference, difference), scale_out);
    return static_cast<int8_t>(std::clamp(WrappingAdd(out, zero_out), -128, 127));
  }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams b, PerTensorParams(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  Quantized function{.zero_a = a.zero_point, .zero_b = b.zero_point, .zero_out = out.zero_point};
  const double twice_max = 2 * std::max(a.scale, b.scale);
  LITERT_ASSIGN_OR_RETURN(function.scale_a, CheckedMultiplier(node, a.scale / twice_max));
  LITERT_ASSIGN_OR_RETURN(function.scale_b, CheckedMultiplier(node, b.scale / twice_max));
  const double real_out =
      twice_max * twice_max / (static_cast<float>(1 << (2 * kLeftShift)) * out.scale);
  LITERT_ASSIGN_OR_RETURN(function.scale_out, CheckedMultiplier(node, real_out));
  return MakeBinary<int8_t>(node, function);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareQuantized(node);
    case kLiteRtElementTypeInt32:
      return MakeBinary<int32_t>(node, [](int32_t a, int32_t b) {
        const int32_t difference = WrappingSub(a, b);
        return WrappingMul(difference, difference);
      });
    default:
      return MakeBinary<float>(node, [](float a, float b) { return (a - b) * (a - b); });
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded a, Bounded b) {
    const Bounded difference = Sub(a, b);
    return Mul(difference, difference);
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(SquaredDifference) = {
    .doc = {.formula = "(a - b)^2; int8: both scaled to 2 max(s_a, s_b), subtracted, squared, "
                       "scaled to the output",
            .source = "TFLite SQUARED_DIFFERENCE"},
    .signature = "T, T -> T; T = float32|int8|int32",
    .infer = InferBroadcast,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
