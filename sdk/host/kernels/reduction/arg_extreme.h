// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What ARG_MAX and ARG_MIN share. A Compare is std::greater<> or std::less<>: whether an element
// beats the best so far, so that the first of equals wins.

#ifndef NPUKIT_SDK_HOST_KERNELS_REDUCTION_ARG_EXTREME_H_
#define NPUKIT_SDK_HOST_KERNELS_REDUCTION_ARG_EXTREME_H_

#include <cmath>
#include <functional>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

// The input as [outer, along, inner] around the axis.
struct ArgExtremePlan {
  int64_t outer = 1;
  int64_t along = 1;
  int64_t inner = 1;
};

// The axis, input 1, is known.
litert::Expected<ArgExtremePlan> PlanArgExtreme(const Node& node);
litert::Expected<Inferred> InferArgExtreme(const Node& node);

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
litert::Expected<std::unique_ptr<Kernel>> PrepareArgExtreme(const Node& node,
                                                            const PrepareOptions& /*options*/) {
  switch (node.inputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return MakeArgExtreme<int8_t, Compare>(node);
    case kLiteRtElementTypeUInt8:
    case kLiteRtElementTypeBool:
      return MakeArgExtreme<uint8_t, Compare>(node);
    case kLiteRtElementTypeInt16:
      return MakeArgExtreme<int16_t, Compare>(node);
    case kLiteRtElementTypeInt32:
      return MakeArgExtreme<int32_t, Compare>(node);
    case kLiteRtElementTypeInt64:
      return MakeArgExtreme<int64_t, Compare>(node);
    default:
      return MakeArgExtreme<float, Compare>(node);
  }
}

// Any float whose interval reaches the winner's may win: the bound is the distance to the farthest
// of them.
template <typename Compare>
litert::Expected<void> ArgExtremeOracle(const Node& node,
                                        std::span<const OracleTensor* const> inputs,
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
      if (slack > 0 && gap <= slack)
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

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_REDUCTION_ARG_EXTREME_H_
