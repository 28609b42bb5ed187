// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// MAXIMUM and MINIMUM. A Compare is std::greater<> or std::less<>: whether the first of two is the
// result.

#include <cmath>
#include <functional>
#include <type_traits>

#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

template <typename Compare>
litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return WithElementType<int8_t, uint8_t, int16_t, int32_t, int64_t, Float16, BFloat16, float>(
      node.outputs[0]->type(), [&]<typename T>(T /*type*/) {
        return MakeBinary<T>(node, [](T a, T b) { return Compare()(a, b) ? a : b; });
      });
}

template <typename Compare>
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded a, Bounded b) {
    if (std::isnan(a.value) || std::isnan(b.value)) return b;  // as comparing gives it
    return std::is_same_v<Compare, std::greater<>> ? Max(a, b) : Min(a, b);
  });
}

template <typename Compare>
constexpr OperatorParts ChoiceOperator(const Documentation& doc) {
  return {.doc = doc,
          .signature = "T, T -> T; T = float32|float16|bfloat16|int8|uint8|int16|int32|int64",
          .infer = InferBroadcast,
          .prepare = Prepare<Compare>,
          .oracle = Oracle<Compare>,
          .tolerance = kRoundedFloats};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Maximum) =
    ChoiceOperator<std::greater<>>({.formula = "the larger of a and b, b where one is NaN; "
                                               "quantised tensors, which have one scale, as stored",
                                    .source = "TFLite MAXIMUM, reference kernels"});

NPUKIT_DEFINE_OPERATOR(Minimum) =
    ChoiceOperator<std::less<>>({.formula = "the smaller of a and b, b where one is NaN; quantised "
                                            "tensors, which have one scale, as stored",
                                 .source = "TFLite MINIMUM, reference kernels"});

}  // namespace npukit::kernels
