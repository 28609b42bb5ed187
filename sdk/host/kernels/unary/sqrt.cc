// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/unary/unary_function.h"

namespace npukit::kernels {
namespace {

Bounded BoundedSqrt(Bounded x) {
  Bounded clipped = x;
  // An interval that reaches below 0 by rounding alone still has a root at its upper end.
  if (x.value >= 0 && x.low() < 0) clipped.bound = x.value;
  Bounded result = Monotone([](double v) { return std::sqrt(v); }, clipped, FunctionUlps::kSqrt);
  if (clipped.bound != x.bound)
    result.bound = std::max(result.bound, std::sqrt(x.high()) - result.value);
  return result;
}

// In float32, the quotient cut towards zero. Numbers below zero are an error, which only the data
// can show.
template <typename T>
class QuantizedKernel final : public Kernel {
 public:
  QuantizedKernel(const Node& node, const AffineParams& in, const AffineParams& out)
      : in_(in),
        out_(out),
        elems_(node.outputs[0]->elems()),
        name_(NodeName(node) + ": " + OperandName(node.inputs[0])) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i) {
      const float real = in_.scale * static_cast<float>(in[i] - in_.zero_point);
      if (!(real >= 0.0f)) {
        return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                  fmt::format("{} is negative at element {}", name_, i));
      }
      const int32_t steps = WrappingAdd(CutToInt32(std::sqrt(real) / out_.scale), out_.zero_point);
      out[i] = static_cast<T>(
          std::clamp<int32_t>(steps, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }
    return {};
  }

 private:
  AffineParams in_;
  AffineParams out_;
  int64_t elems_;
  std::string name_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32)
    return MakeUnary<float>(node, [](float x) { return std::sqrt(x); });
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  if (type == kLiteRtElementTypeInt8) {
    return std::unique_ptr<Kernel>(std::make_unique<QuantizedKernel<int8_t>>(node, in, out));
  }
  return std::unique_ptr<Kernel>(std::make_unique<QuantizedKernel<int16_t>>(node, in, out));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs, BoundedSqrt);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Sqrt) = {
    .doc = {.formula = "the square root; quantised: sqrt(s_in (x - zp_in)) / s_out in float32, "
                       "cut, + zp_out; negative numbers are an error",
            .source = "TFLite SQRT, reference kernels"},
    .signature = "T -> T; T = float32|int8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
