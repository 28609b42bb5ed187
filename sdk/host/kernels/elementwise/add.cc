// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <functional>

#include "sdk/host/kernels/elementwise/arithmetic.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fused_activation.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels::op_add {
namespace {

ActivationFunctionType ActivationOf(const Node& node) {
  const auto* options = node.op->OptionsAs<AddOptions>();
  return options == nullptr ? ActivationFunctionType::kNone : options->fused_activation_function;
}

litert::Expected<Inferred> Infer(const Node& node) {
  return InferBinarySameType(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
             kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64});
}

litert::Expected<std::unique_ptr<Kernel>> PrepareInteger(const Node& node, FloatRange range) {
  auto make = [&]<typename T>(T /*type*/) {
    return MakeBinary<T>(node, [clamp = PlainRange<T>(range)](T a, T b) {
      return clamp(Wrapping(a, b, std::plus<>()));
    });
  };
  if (node.outputs[0]->type() == kLiteRtElementTypeInt16) return make(int16_t{});
  if (node.outputs[0]->type() == kLiteRtElementTypeInt32) return make(int32_t{});
  return make(int64_t{});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  const auto* op_options = node.op->OptionsAs<AddOptions>();
  const ActivationFunctionType activation = ActivationOf(node);
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
      (type == kLiteRtElementTypeInt16 && HasScale(*node.inputs[0]))) {
    return PrepareQuantizedSum(node, activation,
                               op_options == nullptr || op_options->pot_scale_int16,
                               /*subtract=*/false, options);
  }
  LITERT_ASSIGN_OR_RETURN(const FloatRange range, FloatActivationRange(node, activation));
  if (type != kLiteRtElementTypeFloat32) return PrepareInteger(node, range);
  if (activation == ActivationFunctionType::kNone) {
    return MakeBinary<float>(node, [](float a, float b) { return a + b; });
  }
  return MakeBinary<float>(
      node, [clamp = PlainRange<float>(range)](float a, float b) { return clamp(a + b); });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const FloatRange range, FloatActivationRange(node, ActivationOf(node)));
  return BinaryOracle(node, inputs, outputs,
                      [&](Bounded a, Bounded b) { return ClampTo(range, Add(a, b)); });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "floats: activation(a + b); quantised: both scaled to 2 max(s_a, s_b) in "
                       "int32, added, scaled to the output",
            .source = "TFLite ADD, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_add
