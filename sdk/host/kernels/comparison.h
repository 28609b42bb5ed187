// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER and GREATER_EQUAL share. A Compare is
// std::less<> or the like. 8-bit numbers are brought to a common scale in fixed point, so that
// neighbours may count as equal; so are quantised int16 for EQUAL and NOT_EQUAL, while the orders
// compare int16 as stored: this is what TFLite does.

#ifndef NPUKIT_SDK_HOST_KERNELS_COMPARISON_H_
#define NPUKIT_SDK_HOST_KERNELS_COMPARISON_H_

#include <functional>

#include "sdk/host/kernels/arithmetic.h"
#include "sdk/host/kernels/movement.h"

namespace npukit::kernels {

template <typename Compare>
struct ScaledCompare {
  int32_t zero_a = 0;
  int32_t zero_b = 0;
  FixedMultiplier scale_a;
  FixedMultiplier scale_b;
  template <typename T>
  uint8_t operator()(T a, T b) const {
    constexpr int kLeftShift = 8;
    return Compare()(MultiplyByFixed((a - zero_a) * (1 << kLeftShift), scale_a),
                     MultiplyByFixed((b - zero_b) * (1 << kLeftShift), scale_b));
  }
};

litert::Expected<Inferred> InferComparison(const Node& node, bool allows_bool);

template <typename T, typename Compare>
litert::Expected<std::unique_ptr<Kernel>> PrepareScaledComparison(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(const AffineParams b, PerTensorParams(node, *node.inputs[1]));
  ScaledCompare<Compare> compare{.zero_a = a.zero_point, .zero_b = b.zero_point};
  LITERT_ASSIGN_OR_RETURN(compare.scale_a, CheckedMultiplier(node, a.scale));
  LITERT_ASSIGN_OR_RETURN(compare.scale_b, CheckedMultiplier(node, b.scale));
  return MakeBinary<T, uint8_t>(node, compare);
}

template <typename T, typename Compare>
litert::Expected<std::unique_ptr<Kernel>> PreparePlainComparison(const Node& node) {
  return MakeBinary<T, uint8_t>(node, [](T a, T b) -> uint8_t { return Compare()(a, b); });
}

// kScaledWords: quantised int16 is compared by real values.
template <typename Compare, bool kScaledWords>
litert::Expected<std::unique_ptr<Kernel>> PrepareComparison(const Node& node,
                                                            const PrepareOptions& /*options*/) {
  switch (node.inputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareScaledComparison<int8_t, Compare>(node);
    case kLiteRtElementTypeUInt8:
      return PrepareScaledComparison<uint8_t, Compare>(node);
    case kLiteRtElementTypeInt16:
      if (kScaledWords && HasScale(*node.inputs[0]))
        return PrepareScaledComparison<int16_t, Compare>(node);
      return PreparePlainComparison<int16_t, Compare>(node);
    case kLiteRtElementTypeBool:
      return PreparePlainComparison<uint8_t, Compare>(node);
    case kLiteRtElementTypeInt32:
      return PreparePlainComparison<int32_t, Compare>(node);
    case kLiteRtElementTypeInt64:
      return PreparePlainComparison<int64_t, Compare>(node);
    default:
      return PreparePlainComparison<float, Compare>(node);
  }
}

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

#endif  // NPUKIT_SDK_HOST_KERNELS_COMPARISON_H_
