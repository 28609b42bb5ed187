// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER and GREATER_EQUAL. A Compare is std::less<> or the
// like; GREATER is LESS with its inputs swapped. 8-bit numbers are brought to a common scale in fixed
// point, so that neighbours may count as equal; so are quantised int16 for EQUAL and NOT_EQUAL, while
// the orders compare int16 as stored: this is what TFLite does.

#include <functional>
#include <type_traits>
#include <utility>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/fixed_point/fixed_point.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/half.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

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

template <typename Compare, bool kSwap>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  constexpr bool kIsEquality =
      std::is_same_v<Compare, std::equal_to<>> || std::is_same_v<Compare, std::not_equal_to<>>;
  switch (node.inputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return PrepareScaled<int8_t, Compare>(node, kSwap);
    case kLiteRtElementTypeUInt8:
      return PrepareScaled<uint8_t, Compare>(node, kSwap);
    case kLiteRtElementTypeInt16:
      if constexpr (kIsEquality) {
        if (HasScale(*node.inputs[0])) return PrepareScaled<int16_t, Compare>(node, kSwap);
      }
      return PreparePlain<int16_t, Compare>(node, kSwap);
    case kLiteRtElementTypeInt32:
      return PreparePlain<int32_t, Compare>(node, kSwap);
    case kLiteRtElementTypeInt64:
      return PreparePlain<int64_t, Compare>(node, kSwap);
    case kLiteRtElementTypeBool:
      return PreparePlain<uint8_t, Compare>(node, kSwap);
    case kLiteRtElementTypeFloat16:
      return PreparePlain<Float16, Compare>(node, kSwap);
    case kLiteRtElementTypeBFloat16:
      return PreparePlain<BFloat16, Compare>(node, kSwap);
    default:
      return PreparePlain<float, Compare>(node, kSwap);
  }
}

// Floats whose intervals touch may compare either way: one step of doubt.
template <typename Compare>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
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
      const bool doubt = a.bound + b.bound > 0 && !(a.low() > b.high() || b.low() > a.high());
      out.bounds[at + i] = doubt ? 1 : 0;
    }
  });
  return {};
}

constexpr std::string_view kEqualitySignature =
    "T, T -> bool; T = float32|float16|int8|uint8|int16|int32|int64|bool";
constexpr std::string_view kOrderSignature =
    "T, T -> bool; T = float32|float16|int8|uint8|int16|int32|int64";
constexpr std::string_view kStrictOrderSignature =
    "T, T -> bool; T = float32|float16|bfloat16|int8|uint8|int16|int32|int64";

// The kernel computes PlainCompare; of swapped inputs where that is not Compare.
template <typename Compare, typename PlainCompare = Compare>
constexpr OperatorParts ComparisonOperator(const Documentation& doc, std::string_view signature) {
  return {.doc = doc,
          .signature = signature,
          .infer = InferBroadcast,
          .prepare = Prepare<PlainCompare, !std::is_same_v<Compare, PlainCompare>>,
          .oracle = Oracle<Compare>,
          .tolerance = kExactResult};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Equal) = ComparisonOperator<std::equal_to<>>(
    {.formula =
         "a == b; 8 bits and quantised int16: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite EQUAL, reference kernels"},
    kEqualitySignature);

NPUKIT_DEFINE_OPERATOR(NotEqual) = ComparisonOperator<std::not_equal_to<>>(
    {.formula =
         "a != b; 8 bits and quantised int16: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite NOT_EQUAL, reference kernels"},
    kEqualitySignature);

NPUKIT_DEFINE_OPERATOR(Less) = ComparisonOperator<std::less<>>(
    {.formula = "a < b; 8 bits: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite LESS, reference kernels"},
    kStrictOrderSignature);

NPUKIT_DEFINE_OPERATOR(LessEqual) = ComparisonOperator<std::less_equal<>>(
    {.formula = "a <= b; 8 bits: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite LESS_EQUAL, reference kernels"},
    kOrderSignature);

NPUKIT_DEFINE_OPERATOR(Greater) = ComparisonOperator<std::greater<>, std::less<>>(
    {.formula = "a > b; 8 bits: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite GREATER, reference kernels"},
    kStrictOrderSignature);

NPUKIT_DEFINE_OPERATOR(GreaterEqual) = ComparisonOperator<std::greater_equal<>, std::less_equal<>>(
    {.formula = "a >= b; 8 bits: of fixed(s_a) (a - zp_a) 256 and the like for b",
     .source = "TFLite GREATER_EQUAL, reference kernels"},
    kOrderSignature);

}  // namespace npukit::kernels
