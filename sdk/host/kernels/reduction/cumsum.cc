// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/options/op_options.h"

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// The input as [outer, along, inner] around the axis.
struct CumsumPlan {
  int64_t outer = 1;
  int64_t along = 1;
  int64_t inner = 1;
  bool exclusive = false;
  bool reverse = false;
};

litert::Expected<CumsumPlan> PlanOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, IntegerValues(node, *node.inputs[1]));
  const Shape& shape = node.inputs[0]->shape;
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, ResolveAxis(node, axes[0], shape.size()));
  const auto* options = node.op->OptionsAs<CumsumOptions>();
  return CumsumPlan{.outer = ElemsOf(shape, 0, axis),
                    .along = shape[axis],
                    .inner = ElemsOf(shape, axis + 1, shape.size()),
                    .exclusive = options != nullptr && options->exclusive,
                    .reverse = options != nullptr && options->reverse};
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_RETURN_IF_ERROR(PlanOf(node));
  return Inferred{.shapes = {in.shape}};
}

// T is unsigned for integers, so that sums wrap.
template <typename T>
class CumsumKernel final : public Kernel {
 public:
  explicit CumsumKernel(CumsumPlan plan) : plan_(plan) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    T* out = DataOf<T>(context.outputs[0]);
    const int64_t step = plan_.reverse ? -plan_.inner : plan_.inner;
    for (int64_t o = 0; o < plan_.outer; ++o) {
      int64_t at = (o * plan_.along + (plan_.reverse ? plan_.along - 1 : 0)) * plan_.inner;
      for (int64_t k = 0; k < plan_.along; ++k, at += step) {
        // A row of the output continues the one before it.
        const int64_t addend = plan_.exclusive ? at - step : at;
        for (int64_t i = 0; i < plan_.inner; ++i) {
          const T sum = k == 0 ? T{0} : out[at - step + i];
          out[at + i] = k == 0 && plan_.exclusive ? T{0} : static_cast<T>(sum + in[addend + i]);
        }
      }
    }
    return {};
  }

 private:
  CumsumPlan plan_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const CumsumPlan plan, PlanOf(node));
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt32:
      return std::unique_ptr<Kernel>(std::make_unique<CumsumKernel<uint32_t>>(plan));
    case kLiteRtElementTypeInt64:
      return std::unique_ptr<Kernel>(std::make_unique<CumsumKernel<uint64_t>>(plan));
    default:
      return std::unique_ptr<Kernel>(std::make_unique<CumsumKernel<float>>(plan));
  }
}

// Each element is a sum of its own, in any order.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const CumsumPlan plan, PlanOf(node));
  for (int64_t lane = 0; lane < plan.outer * plan.inner; ++lane) {
    const int64_t base = lane / plan.inner * plan.along * plan.inner + lane % plan.inner;
    BoundedSum sum;
    for (int64_t k = 0; k < plan.along; ++k) {
      const int64_t at = base + (plan.reverse ? plan.along - 1 - k : k) * plan.inner;
      if (plan.exclusive) Put(outputs[0], at, sum.Result(0));
      sum.Add(At(*inputs[0], at));
      if (!plan.exclusive) Put(outputs[0], at, sum.Result(0));
    }
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Cumsum) = {
    .doc = {.formula = "the sum of the elements up to each one along axis; exclusive: without it; "
                       "reverse: from the end",
            .source = "TFLite CUMSUM"},
    .signature = "T, int32|int64 -> T; T = float32|int32|int64",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
