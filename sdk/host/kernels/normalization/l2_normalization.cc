// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/fixed_point_functions.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/normalization/rows.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr float kSmallestNorm = 1e-6f;

litert::Expected<Inferred> Infer(const Node& node) {
  if (node.inputs[0]->shape.empty())
    return InvalidNode(node, node.inputs[0], "must have at least one dimension");
  const auto* options = node.op->OptionsAs<L2NormOptions>();
  if (options != nullptr && options->fused_activation_function != ActivationFunctionType::kNone) {
    return UnsupportedNode(node, "a fused activation is not supported");
  }
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class FloatKernel final : public Kernel {
 public:
  explicit FloatKernel(Rows rows) : rows_(rows) { in_place_input_ = 0; }
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    for (int64_t row = 0; row < rows_.count; ++row, in += rows_.depth, out += rows_.depth) {
      float sum = 0;
      for (int64_t c = 0; c < rows_.depth; ++c) sum += in[c] * in[c];
      const float norm = std::max(std::sqrt(sum), kSmallestNorm);
      for (int64_t c = 0; c < rows_.depth; ++c) out[c] = in[c] / norm;
    }
    return {};
  }

 private:
  Rows rows_;
};

template <typename T>
class EightBitKernel final : public Kernel {
 public:
  EightBitKernel(Rows rows, int32_t zero_point) : rows_(rows), zero_point_(zero_point) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    for (int64_t row = 0; row < rows_.count; ++row, in += rows_.depth, out += rows_.depth) {
      int32_t sum = 0;
      for (int64_t c = 0; c < rows_.depth; ++c) {
        const int32_t value = in[c] - zero_point_;
        sum = WrappingAdd(sum, value * value);
      }
      const FixedMultiplier inverse = InverseSqrt(sum);
      for (int64_t c = 0; c < rows_.depth; ++c) out[c] = Scale(in[c] - zero_point_, inverse);
    }
    return {};
  }

 private:
  // By 128: int8 in the shift, uint8 in the value, with its zero point of 128.
  static T Scale(int32_t value, FixedMultiplier inverse) {
    if constexpr (std::is_same_v<T, int8_t>) {
      inverse.shift += 7;
      return static_cast<T>(std::clamp(MultiplyByFixed(value, inverse), -128, 127));
    } else {
      return static_cast<T>(std::clamp(128 + MultiplyByFixed(128 * value, inverse), 0, 255));
    }
  }

  Rows rows_;
  int32_t zero_point_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.outputs[0]->type();
  const Rows rows = RowsOf(node);
  if (type == kLiteRtElementTypeFloat32)
    return std::unique_ptr<Kernel>(std::make_unique<FloatKernel>(rows));
  LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const bool is_signed = type == kLiteRtElementTypeInt8;
  if (out.scale != 1.0f / 128 || out.zero_point != (is_signed ? 0 : 128)) {
    return InvalidNode(node, node.outputs[0],
                       "must have scale 1/128 and the zero point in the middle");
  }
  if (is_signed)
    return std::unique_ptr<Kernel>(std::make_unique<EightBitKernel<int8_t>>(rows, in.zero_point));
  return std::unique_ptr<Kernel>(std::make_unique<EightBitKernel<uint8_t>>(rows, in.zero_point));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  const Rows rows = RowsOf(node);
  for (int64_t row = 0; row < rows.count; ++row) {
    BoundedSum sum;
    for (int64_t c = 0; c < rows.depth; ++c) {
      const Bounded x = At(*inputs[0], row * rows.depth + c);
      sum.Add(ExactProduct(x, x));
    }
    const Bounded root = Monotone([](double x) { return std::sqrt(std::max(x, 0.0)); },
                                  sum.Result(1), FunctionUlps::kSqrt);
    const Bounded norm = Max(root, {kSmallestNorm, 0});
    for (int64_t c = 0; c < rows.depth; ++c) {
      Put(outputs[0], row * rows.depth + c, Div(At(*inputs[0], row * rows.depth + c), norm));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(L2Normalization) = {
    .doc = {.formula = "x / max(sqrt(sum of x^2 along the last dimension), 1e-6); 8 bits: (x - zp) "
                       "128 / sqrt(sum) in fixed point, five Newton steps",
            .source = "TFLite L2_NORMALIZATION, reference kernels"},
    .signature = "T -> T; T = float32|int8|uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
