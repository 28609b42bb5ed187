// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/comparison.h"

#include <functional>
#include <type_traits>
#include <utility>

#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

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

template <typename T, typename Compare>
litert::Expected<std::unique_ptr<Kernel>> PrepareScaled(const Node& node, bool swap) {
  LITERT_ASSIGN_OR_RETURN(AffineParams a, PerTensorParams(node, *node.inputs[0]));
  LITERT_ASSIGN_OR_RETURN(AffineParams b, PerTensorParams(node, *node.inputs[1]));
  if (swap) std::swap(a, b);
  ScaledCompare<Compare> compare{.zero_a = a.zero_point, .zero_b = b.zero_point};
  LITERT_ASSIGN_OR_RETURN(compare.scale_a, CheckedMultiplier(node, a.scale));
  LITERT_ASSIGN_OR_RETURN(compare.scale_b, CheckedMultiplier(node, b.scale));
  return MakeBinary<T, uint8_t>(node, compare, swap);
}

template <typename T, typename Compare>
litert::Expected<std::unique_ptr<Kernel>> PreparePlain(const Node& node, bool swap) {
  return MakeBinary<T, uint8_t>(
      node, [](T a, T b) -> uint8_t { return Compare()(a, b); }, swap);
}

// GREATER is LESS with its inputs swapped.
template <typename Compare>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, bool swap) {
  constexpr bool kIsEquality =
      std::is_same_v<Compare, std::equal_to<>> || std::is_same_v<Compare, std::not_equal_to<>>;
  switch (node.inputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareScaled<int8_t, Compare>(node, swap);
    case kLiteRtElementTypeUInt8:
      return PrepareScaled<uint8_t, Compare>(node, swap);
    case kLiteRtElementTypeInt16:
      if constexpr (kIsEquality) {
        if (HasScale(*node.inputs[0])) return PrepareScaled<int16_t, Compare>(node, swap);
      }
      return PreparePlain<int16_t, Compare>(node, swap);
    case kLiteRtElementTypeInt32:
      return PreparePlain<int32_t, Compare>(node, swap);
    case kLiteRtElementTypeInt64:
      return PreparePlain<int64_t, Compare>(node, swap);
    case kLiteRtElementTypeBool:
      return PreparePlain<uint8_t, Compare>(node, swap);
    default:
      return PreparePlain<float, Compare>(node, swap);
  }
}

}  // namespace

litert::Expected<Inferred> InferComparison(const Node& node, bool allows_bool) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 2}));
  const Operand& a = *node.inputs[0];
  if (!allows_bool || a.type() != kLiteRtElementTypeBool) {
    LITERT_RETURN_IF_ERROR(
        CheckType(node, a,
                  {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
                   kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64}));
  }
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *node.inputs[1], a));
  LITERT_RETURN_IF_ERROR(CheckType(node, *node.outputs[0], {kLiteRtElementTypeBool}));
  LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, a, *node.inputs[1]));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> PrepareEqual(const Node& node,
                                                       const PrepareOptions& /*options*/) {
  return Prepare<std::equal_to<>>(node, false);
}
litert::Expected<std::unique_ptr<Kernel>> PrepareNotEqual(const Node& node,
                                                          const PrepareOptions& /*options*/) {
  return Prepare<std::not_equal_to<>>(node, false);
}
litert::Expected<std::unique_ptr<Kernel>> PrepareLess(const Node& node,
                                                      const PrepareOptions& /*options*/) {
  return Prepare<std::less<>>(node, false);
}
litert::Expected<std::unique_ptr<Kernel>> PrepareLessEqual(const Node& node,
                                                           const PrepareOptions& /*options*/) {
  return Prepare<std::less_equal<>>(node, false);
}
litert::Expected<std::unique_ptr<Kernel>> PrepareGreater(const Node& node,
                                                         const PrepareOptions& /*options*/) {
  return Prepare<std::less<>>(node, true);
}
litert::Expected<std::unique_ptr<Kernel>> PrepareGreaterEqual(const Node& node,
                                                              const PrepareOptions& /*options*/) {
  return Prepare<std::less_equal<>>(node, true);
}

}  // namespace npukit::kernels
