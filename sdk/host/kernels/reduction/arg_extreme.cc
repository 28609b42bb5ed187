// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ARG_MAX and ARG_MIN. A Compare is std::greater<> or std::less<>: whether an element beats the best
// so far, so that the first of equals wins.

#include <algorithm>
#include <cmath>
#include <functional>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// The input as [outer, along, inner] around the axis.
struct ArgExtremePlan {
  int64_t outer = 1;
  int64_t along = 1;
  int64_t inner = 1;
};

litert::Expected<int32_t> AxisOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, IntegerValues(node, *node.inputs[1]));
  return ResolveAxis(node, axis[0], node.inputs[0]->shape.size());
}

litert::Expected<ArgExtremePlan> PlanArgExtreme(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  const Shape& shape = node.inputs[0]->shape;
  return ArgExtremePlan{.outer = ElemsOf(shape, 0, axis),
                        .along = shape[axis],
                        .inner = ElemsOf(shape, axis + 1, shape.size())};
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  Shape shape = in.shape;
  shape.erase(shape.begin() + axis);
  if (in.shape[axis] == 0 && ElemsOf(shape) > 0)
    return InvalidNode(node, &in, "has no elements along the axis");
  return Inferred{.shapes = {std::move(shape)}};
}

template <typename T, typename Index, typename Compare>
class ArgExtremeKernel final : public Kernel {
 public:
  explicit ArgExtremeKernel(ArgExtremePlan plan) : plan_(plan) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    const T* in = DataOf<T>(context.inputs[0]);
    Index* out = DataOf<Index>(context.outputs[0]);
    for (int64_t o = 0; o < plan_.outer; ++o, in += plan_.along * plan_.inner) {
      for (int64_t i = 0; i < plan_.inner; ++i) *out++ = BestOf(in + i);
    }
    return {};
  }

 private:
  Index BestOf(const T* in) const {
    T best = in[0];
    int64_t best_at = 0;
    for (int64_t k = 1; k < plan_.along; ++k) {
      if (Compare()(in[k * plan_.inner], best)) {
        best = in[k * plan_.inner];
        best_at = k;
      }
    }
    return static_cast<Index>(best_at);
  }

  ArgExtremePlan plan_;
};

template <typename T, typename Compare>
litert::Expected<std::unique_ptr<Kernel>> MakeArgExtreme(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const ArgExtremePlan plan, PlanArgExtreme(node));
  if (node.outputs[0]->type() == kLiteRtElementTypeInt64) {
    return std::unique_ptr<Kernel>(std::make_unique<ArgExtremeKernel<T, int64_t, Compare>>(plan));
  }
  return std::unique_ptr<Kernel>(std::make_unique<ArgExtremeKernel<T, int32_t, Compare>>(plan));
}

template <typename Compare>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  const LiteRtElementType type = node.inputs[0]->type();
  if (type == kLiteRtElementTypeBool) return MakeArgExtreme<uint8_t, Compare>(node);
  return WithElementType<int8_t, uint8_t, int16_t, int32_t, int64_t, float>(
      type, [&]<typename T>(T /*type*/) { return MakeArgExtreme<T, Compare>(node); });
}

// Any float whose interval reaches the winner's may win: the bound is the distance to the farthest
// of them.
template <typename Compare>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!inputs[0]->is_float()) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const ArgExtremePlan plan, PlanArgExtreme(node));
  OracleTensor& out = outputs[0];
  out.bounds.assign(static_cast<size_t>(out.elems()), 0.0);
  const bool wide = out.type == kLiteRtElementTypeInt64;
  for (int64_t at = 0; at < plan.outer * plan.inner; ++at) {
    const int64_t base = at / plan.inner * plan.along * plan.inner + at % plan.inner;
    auto element = [&](int64_t k) {
      const int64_t from = base + k * plan.inner;
      return Bounded{inputs[0]->values[from], inputs[0]->bounds[from]};
    };
    int64_t best = 0;
    for (int64_t k = 1; k < plan.along; ++k) {
      if (Compare()(element(k).value, element(best).value)) best = k;
    }
    for (int64_t k = 0; k < plan.along; ++k) {
      const double slack = element(k).bound + element(best).bound;
      const double gap = std::fabs(element(k).value - element(best).value);
      if (slack > 0 && !(gap > slack))
        out.bounds[at] = std::max(out.bounds[at], std::fabs(static_cast<double>(k - best)));
    }
    if (wide) {
      DataOf<int64_t>(std::span<uint8_t>(out.bytes))[at] = best;
    } else {
      DataOf<int32_t>(std::span<uint8_t>(out.bytes))[at] = static_cast<int32_t>(best);
    }
  }
  return {};
}

template <typename Compare>
constexpr OperatorParts ArgExtremeOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "float32|int8|uint8|int16|int32|int64|bool, int32|int64 -> int32|int64",
          .infer = Infer,
          .prepare = Prepare<Compare>,
          .oracle = Oracle<Compare>,
          .tolerance = kExactResult};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ArgMax) = ArgExtremeOperator<std::greater<>>(
    {.formula = "the index of the largest element along axis, the first of equals; stored values "
                "are compared",
     .source = "TFLite ARG_MAX"});

NPUKIT_DEFINE_OPERATOR(ArgMin) =
    ArgExtremeOperator<std::less<>>({.formula = "the index of the smallest element along axis, the "
                                                "first of equals; stored values are compared",
                                     .source = "TFLite ARG_MIN"});

}  // namespace npukit::kernels
