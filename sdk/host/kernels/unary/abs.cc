// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  // The quotient of scales is rounded to float32; equal scales leave the number as it is.
  LITERT_ASSIGN_OR_RETURN(const FixedMultiplier scale,
                          CheckedMultiplier(node, in.scale / out.scale));
  const bool rescale = in.scale != out.scale;
  return MakeUnary<T>(node, [=](T stored) {
    const int32_t magnitude = std::abs(stored - in.zero_point);
    const int32_t value =
        WrappingAdd(rescale ? MultiplyByFixed(magnitude, scale) : magnitude, out.zero_point);
    return static_cast<T>(
        std::clamp<int32_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareQuantized<int8_t>(node);
    case kLiteRtElementTypeInt16:
      if (HasScale(*node.inputs[0])) return PrepareQuantized<int16_t>(node);
      return MakeUnary<int16_t>(node, [](int16_t x) { return static_cast<int16_t>(std::abs(x)); });
    case kLiteRtElementTypeInt32:
      return MakeUnary<int32_t>(node, [](int32_t x) { return x < 0 ? WrappingSub(0, x) : x; });
    default:
      return MakeUnary<float>(node, [](float x) { return std::fabs(x); });
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs, [](Bounded x) {
    return Bounded{std::fabs(x.value), x.bound};
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Abs) = {
    .doc = {.formula = "|x|; quantised: fixed(s_in / s_out) |x - zp_in| + zp_out",
            .source = "TFLite ABS, reference kernels"},
    .signature = "T -> T; T = float32|int8|int16|int32",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
