// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& alpha = *node.inputs[1];
  LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, in, alpha));
  if (shape != in.shape) return InvalidNode(node, &alpha, "must broadcast to the input's shape");
  return Inferred{.shapes = {std::move(shape)}};
}

struct Quantized {
  int32_t zero_in = 0;
  int32_t zero_alpha = 0;
  int32_t zero_out = 0;
  FixedMultiplier identity;
  FixedMultiplier product;

  template <typename T>
  T Apply(int32_t stored, int32_t alpha) const {
    const int32_t x = stored - zero_in;
    const int32_t out = x >= 0 ? MultiplyByFixed(x, identity)
                               : MultiplyByFixed(WrappingMul(x, alpha - zero_alpha), product);
    return static_cast<T>(std::clamp<int32_t>(
        WrappingAdd(out, zero_out), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};

// Two inputs of different types.
template <typename T, typename Alpha>
class QuantizedKernel final : public Kernel {
 public:
  QuantizedKernel(const Quantized& function, const BroadcastPlan<2>& plan)
      : function_(function), plan_(plan) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    const Alpha* alpha = DataOf<Alpha>(context.inputs[1]);
    T* out = DataOf<T>(context.outputs[0]);
    plan_.ForEachRow(0, plan_.rows, [&](const auto& offsets, int64_t at) {
      for (int64_t i = 0; i < plan_.row.extent; ++i) {
        out[at + i] = function_.template Apply<T>(in[offsets[0] + i * plan_.row.stride[0]],
                                                  alpha[offsets[1] + i * plan_.row.stride[1]]);
      }
    });
    return {};
  }

 private:
  Quantized function_;
  BroadcastPlan<2> plan_;
};

litert::Expected<Quantized> QuantizedOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams alpha, PerTensorParams(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  Quantized function{
      .zero_in = in.zero_point, .zero_alpha = alpha.zero_point, .zero_out = out.zero_point};
  // Both are rounded to float32.
  LITERT_ASSIGN_OR_RETURN(function.identity, CheckedMultiplier(node, in.scale / out.scale));
  LITERT_ASSIGN_OR_RETURN(function.product,
                          CheckedMultiplier(node, in.scale * alpha.scale / out.scale));
  return function;
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  if (type == kLiteRtElementTypeFloat32) {
    return MakeBinary<float>(node, [](float x, float alpha) { return x >= 0.0f ? x : x * alpha; });
  }
  LITERT_ASSIGN_OR_RETURN(const Quantized function, QuantizedOf(node));
  const BroadcastPlan<2> plan = BinaryPlan(node);
  std::unique_ptr<Kernel> kernel;
  if (type == kInt8) {
    kernel = std::make_unique<QuantizedKernel<int8_t, int8_t>>(function, plan);
  } else if (type == kInt16) {
    kernel = std::make_unique<QuantizedKernel<int16_t, int8_t>>(function, plan);
  } else {
    kernel = std::make_unique<QuantizedKernel<uint8_t, uint8_t>>(function, plan);
  }
  return kernel;
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded x, Bounded alpha) {
    const Bounded product = Mul(x, alpha);
    if (x.low() >= 0) return x;
    if (x.high() < 0) return product;
    // Either branch may be taken.
    const double value = x.value >= 0 ? x.value : product.value;
    const double bound =
        std::max({std::fabs(x.high() - value), std::fabs(product.low() - value),
                  std::fabs(product.high() - value), std::fabs(x.value - value) + x.bound});
    return Bounded{value, bound};
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Prelu) = {
    .doc = {.formula = "x if x >= 0, else alpha x, alpha broadcast to x; quantised: fixed(s_in / "
                       "s_out)(x - zp) or fixed(s_in s_alpha / s_out)(x - zp)(alpha - zp_alpha)",
            .source = "TFLite PRELU, reference kernels"},
    .signature =
        "float32, float32 -> float32; int8, int8 -> int8; uint8, uint8 -> uint8; int16, int8 -> "
        "int16",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
