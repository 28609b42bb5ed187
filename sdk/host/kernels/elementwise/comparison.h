// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER and GREATER_EQUAL share. A Compare is
// std::less<> or the like. 8-bit numbers are brought to a common scale in fixed point, so that
// neighbours may count as equal; so are quantised int16 for EQUAL and NOT_EQUAL, while the orders
// compare int16 as stored: this is what TFLite does.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_COMPARISON_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_COMPARISON_H_

#include <functional>
#include <memory>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {

litert::Expected<Inferred> InferComparison(const Node& node, bool allows_bool);

// OperatorParts::prepare of each.
litert::Expected<std::unique_ptr<Kernel>> PrepareEqual(const Node& node, const PrepareOptions&);
litert::Expected<std::unique_ptr<Kernel>> PrepareNotEqual(const Node& node, const PrepareOptions&);
litert::Expected<std::unique_ptr<Kernel>> PrepareLess(const Node& node, const PrepareOptions&);
litert::Expected<std::unique_ptr<Kernel>> PrepareLessEqual(const Node& node, const PrepareOptions&);
litert::Expected<std::unique_ptr<Kernel>> PrepareGreater(const Node& node, const PrepareOptions&);
litert::Expected<std::unique_ptr<Kernel>> PrepareGreaterEqual(const Node& node,
                                                              const PrepareOptions&);

// Floats whose intervals touch may compare either way: one step of doubt.
template <typename Compare>
litert::Expected<void> ComparisonOracle(const Node& node,
                                        std::span<const OracleTensor* const> inputs,
                                        std::span<OracleTensor> outputs) {
  if (!inputs[0]->is_float()) return OracleByKernel(node, inputs, outputs);
  OracleTensor& out = outputs[0];
  out.bounds.assign(out.elems(), 0.0);
  const BroadcastPlan<2> plan = BinaryPlan(node);
  plan.ForEachRow(0, plan.rows, [&](const auto& offsets, int64_t at) {
    for (int64_t i = 0; i < plan.row.extent; ++i) {
      const int64_t from_a = offsets[0] + i * plan.row.stride[0];
      const int64_t from_b = offsets[1] + i * plan.row.stride[1];
      const Bounded a{inputs[0]->values[from_a], inputs[0]->bounds[from_a]};
      const Bounded b{inputs[1]->values[from_b], inputs[1]->bounds[from_b]};
      out.bytes[at + i] = Compare()(a.value, b.value);
      const bool doubt = a.bound + b.bound > 0 && a.low() <= b.high() && b.low() <= a.high();
      out.bounds[at + i] = doubt ? 1 : 0;
    }
  });
  return {};
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENTWISE_COMPARISON_H_
