// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/lookup_table.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

// Quantised numbers below zero are an error, which only the data can show.
template <typename T, typename Table>
class QuantizedKernel final : public Kernel {
 public:
  QuantizedKernel(const Node& node, Table table, int32_t zero_point)
      : table_(std::move(table)),
        zero_point_(zero_point),
        elems_(node.outputs[0]->elems()),
        name_(NodeName(node) + ": " + OperandName(node.inputs[0])) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t i = 0; i < elems_; ++i) {
      if (in[i] < zero_point_) {
        return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                                  fmt::format("{} is negative at element {}", name_, i));
      }
      out[i] = table_(in[i]);
    }
    return {};
  }

 private:
  Table table_;
  int32_t zero_point_;
  int64_t elems_;
  std::string name_;
};

// The inverse root in Q20, scaled to the output.
litert::Expected<std::unique_ptr<Kernel>> PrepareBytes(const Node& node, const AffineParams& in,
                                                       const AffineParams& out) {
  constexpr int kFractionBits = 20;
  const double real = 1.0 / static_cast<double>(std::sqrt(in.scale) * out.scale);
  LITERT_ASSIGN_OR_RETURN(FixedMultiplier scale, CheckedMultiplier(node, real));
  scale.shift -= kFractionBits;
  auto table = EightBitTable<int8_t>::OfStored([&](int32_t x) {
    const int32_t value = x - in.zero_point;
    if (value <= 0) return 127;
    FixedMultiplier root = InverseSqrt(value);
    root.shift += kFractionBits;
    return WrappingAdd(MultiplyByFixed(MultiplyByFixed(1, root), scale), out.zero_point);
  });
  return std::unique_ptr<Kernel>(
      std::make_unique<QuantizedKernel<int8_t, EightBitTable<int8_t>>>(node, table, in.zero_point));
}

litert::Expected<std::unique_ptr<Kernel>> PrepareWords(const Node& node, const AffineParams& in,
                                                       const AffineParams& out) {
  if (in.zero_point != 0 || out.zero_point != 0)
    return InvalidNode(node, "int16 tensors must have zero points 0");
  InterpolatedTable table(in.scale, 0, out.scale, 0, [&](float x) {
    return x <= 0 ? 32767 * out.scale : 1.0f / std::sqrt(x);
  });
  return std::unique_ptr<Kernel>(
      std::make_unique<QuantizedKernel<int16_t, InterpolatedTable>>(node, table, 0));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) {
    return MakeUnary<float>(node, [](float x) { return 1.0f / std::sqrt(x); });
  }
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  return type == kLiteRtElementTypeInt8 ? PrepareBytes(node, in, out) : PrepareWords(node, in, out);
}

// Below zero there is no value, and an interval that reaches zero has no bound.
Bounded Rsqrt(Bounded x) {
  return Monotone([](double v) { return 1.0 / std::sqrt(v); }, x, FunctionUlps::kRsqrt);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs, Rsqrt);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Rsqrt) = {
    .doc = {.formula = "1 / sqrt(x); int8: Newton steps in fixed point, int16: an interpolated "
                       "table; 0 gives the largest output, quantised numbers below 0 are an error",
            .source = "TFLite RSQRT, reference kernels"},
    .signature = "T -> T; T = float32|int8|int16",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
