// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/model/options/op_options.h"

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/flex_buffer.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// Rows along the last dimension.
struct RmsNorm {
  int64_t rows = 0;
  int64_t cols = 0;
  float epsilon = 0;
};

litert::Expected<float> ReadEpsilon(const Node& node) {
  const auto* options = node.op->OptionsAs<StableHLOCompositeOptions>();
  if (options == nullptr || options->composite_attributes.empty()) {
    return InvalidNode(node, "has no attributes, it needs epsilon");
  }
  const std::optional<FlexBuffer> buffer = FlexBuffer::Verify(options->composite_attributes);
  if (!buffer) return InvalidNode(node, "has attributes that are no FlexBuffer");
  const flexbuffers::Reference root = buffer->root();
  const flexbuffers::Reference epsilon = root.IsMap() ? root.AsMap()["epsilon"] : root;
  if (!root.IsMap() || !epsilon.IsNumeric()) {
    return InvalidNode(node, "has no attribute epsilon that is a number");
  }
  const float value = epsilon.AsFloat();
  if (!std::isfinite(value) || value < 0) {
    return InvalidNode(node, "has an epsilon that is no number from 0 up");
  }
  return value;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& x = *node.inputs[0];
  if (x.shape.empty()) return InvalidNode(node, &x, "must have at least one dimension");
  if (const Operand* weight = node.input(1); weight != nullptr) {
    if (weight->elems() != x.shape.back()) {
      return InvalidNode(node, weight, "must have as many elements as the last dimension");
    }
  }
  return Inferred{.shapes = {x.shape}};
}

litert::Expected<RmsNorm> Read(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const float epsilon, ReadEpsilon(node));
  const Shape& shape = node.inputs[0]->shape;
  return RmsNorm{
      .rows = ElemsOf(shape, 0, shape.size() - 1), .cols = shape.back(), .epsilon = epsilon};
}

class RmsNormKernel final : public Kernel {
 public:
  RmsNormKernel(RmsNorm norm, bool weighted) : norm_(norm), weighted_(weighted) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* x = DataOf<float>(context.inputs[0]);
    const float* weight = weighted_ ? DataOf<float>(context.inputs[1]) : nullptr;
    float* y = DataOf<float>(context.outputs[0]);
    for (int64_t row = 0; row < norm_.rows; ++row, x += norm_.cols, y += norm_.cols) {
      float sum = 0;
      for (int64_t c = 0; c < norm_.cols; ++c) sum += x[c] * x[c];
      const float factor = 1.0f / std::sqrt(sum / static_cast<float>(norm_.cols) + norm_.epsilon);
      for (int64_t c = 0; c < norm_.cols; ++c) {
        y[c] = weight == nullptr ? x[c] * factor : x[c] * factor * weight[c];
      }
    }
    return {};
  }

 private:
  RmsNorm norm_;
  bool weighted_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const RmsNorm norm, Read(node));
  return std::unique_ptr<Kernel>(std::make_unique<RmsNormKernel>(norm, node.input(1) != nullptr));
}

// A sum of squares in any order, then mean, epsilon, root and the products, each rounded.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const RmsNorm norm, Read(node));
  const bool weighted = node.input(1) != nullptr;
  for (int64_t row = 0; row < norm.rows; ++row) {
    BoundedSum sum;
    for (int64_t c = 0; c < norm.cols; ++c) {
      const Bounded x = At(*inputs[0], row * norm.cols + c);
      sum.Add(ExactProduct(x, x));
    }
    const Bounded mean = Div(sum.Result(1), {static_cast<double>(norm.cols), 0});
    const Bounded shifted = Add(mean, {norm.epsilon, 0});
    const Bounded factor = Monotone([](double v) { return 1.0 / std::sqrt(std::max(v, 0.0)); },
                                    shifted, FunctionUlps::kRsqrt);
    for (int64_t c = 0; c < norm.cols; ++c) {
      Bounded y = Mul(At(*inputs[0], row * norm.cols + c), factor);
      if (weighted) y = Mul(y, At(*inputs[1], c));
      Put(outputs[0], row * norm.cols + c, y);
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(RmsNorm) = {
    .doc = {.formula = "x / sqrt(mean of x^2 along the last dimension + epsilon) * weight",
            .source = "the composite odml.rms_norm, by its decomposition"},
    .signature = "float32, float32? -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
