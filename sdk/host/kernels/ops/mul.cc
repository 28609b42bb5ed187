// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <functional>

#include "sdk/host/kernels/arithmetic.h"
#include "sdk/host/kernels/movement.h"

namespace npukit::kernels {
namespace {

ActivationFunctionType ActivationOf(const Node& node) {
  const auto* options = node.op->OptionsAs<MulOptions>();
  return options == nullptr ? ActivationFunctionType::kNone : options->fused_activation_function;
}

litert::Expected<Inferred> Infer(const Node& node) {
  return InferBinarySameType(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
             kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64});
}

// TFLite computes the product of scales in float32.
struct QuantizedProduct {
  int32_t zero_point_a = 0;
  int32_t zero_point_b = 0;
  int32_t zero_point_out = 0;
  FixedMultiplier scale;
  IntegerRange range;

  template <typename T>
  T operator()(T a, T b) const {
    const int32_t product = WrappingMul(a - zero_point_a, b - zero_point_b);
    const int32_t out = WrappingAdd(MultiplyByFixed(product, scale), zero_point_out);
    return static_cast<T>(std::clamp(out, range.min, range.max));
  }
};

litert::Expected<std::unique_ptr<Kernel>> PrepareQuantized(const Node& node,
                                                           ActivationFunctionType activation) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams b, PerTensorParams(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeInt16 &&
      (a.zero_point != 0 || b.zero_point != 0 || out.zero_point != 0)) {
    return InvalidNode(node, "int16 tensors must have zero points 0");
  }
  QuantizedProduct product{
      .zero_point_a = a.zero_point, .zero_point_b = b.zero_point, .zero_point_out = out.zero_point};
  LITERT_ASSIGN_OR_RETURN(product.scale, CheckedMultiplier(node, a.scale * b.scale / out.scale));
  LITERT_ASSIGN_OR_RETURN(product.range, ActivationRange(node, activation, *node.outputs[0]));
  if (type == kLiteRtElementTypeInt8) return MakeBinary<int8_t>(node, product);
  if (type == kLiteRtElementTypeUInt8) return MakeBinary<uint8_t>(node, product);
  return MakeBinary<int16_t>(node, product);
}

litert::Expected<std::unique_ptr<Kernel>> PrepareInteger(const Node& node, FloatRange range) {
  auto make = [&]<typename T>(T /*type*/) {
    return MakeBinary<T>(node, [clamp = PlainRange<T>(range)](T a, T b) {
      return clamp(Wrapping(a, b, std::multiplies<>()));
    });
  };
  if (node.outputs[0]->type() == kLiteRtElementTypeInt16) return make(int16_t{});
  if (node.outputs[0]->type() == kLiteRtElementTypeInt32) return make(int32_t{});
  return make(int64_t{});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*prepare_options*/) {
  const ActivationFunctionType activation = ActivationOf(node);
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
      (type == kLiteRtElementTypeInt16 && HasScale(*node.inputs[0]))) {
    return PrepareQuantized(node, activation);
  }
  LITERT_ASSIGN_OR_RETURN(const FloatRange range, FloatActivationRange(node, activation));
  if (type != kLiteRtElementTypeFloat32) return PrepareInteger(node, range);
  if (activation == ActivationFunctionType::kNone) {
    return MakeBinary<float>(node, [](float a, float b) { return a * b; });
  }
  return MakeBinary<float>(
      node, [clamp = PlainRange<float>(range)](float a, float b) { return clamp(a * b); });
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const FloatRange range, FloatActivationRange(node, ActivationOf(node)));
  return BinaryOracle(node, inputs, outputs,
                      [&](Bounded a, Bounded b) { return ClampTo(range, Mul(a, b)); });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(mul) = {
    .doc = {.formula = "floats: activation(a * b); quantised: out = zp + (a - zp_a)(b - zp_b) * "
                       "fixed(s_a s_b / s_out), clamped",
            .source = "TFLite MUL, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels
