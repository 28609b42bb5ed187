// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "sdk/host/kernels/composites/composite_attributes.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// The input as [outer, along, inner] around the axis.
struct L2Norm {
  int64_t outer = 1;
  int64_t along = 1;
  int64_t inner = 1;
  float epsilon = 0;
};

litert::Expected<L2Norm> Read(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const auto attributes,
                          CompositeAttributes::Read(node, {"axis", "epsilon"}));
  LITERT_ASSIGN_OR_RETURN(const float epsilon, attributes.Epsilon());
  LITERT_ASSIGN_OR_RETURN(const int64_t given, attributes.Integer("axis", -1));
  const Shape& shape = node.inputs[0]->shape;
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, ResolveAxis(node, given, shape.size()));
  return L2Norm{.outer = ElemsOf(shape, 0, axis),
                .along = shape[axis],
                .inner = ElemsOf(shape, axis + 1, shape.size()),
                .epsilon = epsilon};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(Read(node));
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class L2NormKernel final : public Kernel {
 public:
  explicit L2NormKernel(L2Norm norm) : norm_(norm) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    const int64_t block = norm_.along * norm_.inner;
    for (int64_t o = 0; o < norm_.outer; ++o, in += block, out += block) {
      for (int64_t i = 0; i < norm_.inner; ++i) {
        float sum = 0;
        for (int64_t at = i; at < block; at += norm_.inner) sum += in[at] * in[at];
        const float factor = 1.0f / std::sqrt(sum + norm_.epsilon);
        for (int64_t at = i; at < block; at += norm_.inner) out[at] = in[at] * factor;
      }
    }
    return {};
  }

 private:
  L2Norm norm_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const L2Norm norm, Read(node));
  return std::unique_ptr<Kernel>(std::make_unique<L2NormKernel>(norm));
}

// A sum of squares in any order, then epsilon, the root and a product, each rounded.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const L2Norm norm, Read(node));
  const int64_t block = norm.along * norm.inner;
  for (int64_t lane = 0; lane < norm.outer * norm.inner; ++lane) {
    const int64_t base = lane / norm.inner * block + lane % norm.inner;
    BoundedSum sum;
    for (int64_t k = 0; k < norm.along; ++k) {
      const Bounded x = At(*inputs[0], base + k * norm.inner);
      sum.Add(ExactProduct(x, x));
    }
    const Bounded shifted = Add(sum.Result(1), {norm.epsilon, 0});
    const Bounded factor = Monotone([](double v) { return 1.0 / std::sqrt(std::max(v, 0.0)); },
                                    shifted, FunctionUlps::kRsqrt);
    for (int64_t k = 0; k < norm.along; ++k) {
      const int64_t at = base + k * norm.inner;
      Put(outputs[0], at, Mul(At(*inputs[0], at), factor));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(L2Norm) = {
    .doc = {.formula = "x / sqrt(sum of x^2 along axis + epsilon)",
            .source = "the composite odml.l2_norm, by its decomposition"},
    .signature = "float32 -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
