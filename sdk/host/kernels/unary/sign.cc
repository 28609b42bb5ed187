// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

template <typename T>
T SignOf(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  if (node.outputs[0]->type() == kLiteRtElementTypeInt32)
    return MakeUnary<int32_t>(node, SignOf<int32_t>);
  if (node.outputs[0]->type() == kLiteRtElementTypeFloat64)
    return MakeUnary<double>(node, SignOf<double>);
  return MakeUnary<float>(node, SignOf<float>);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs, [](Bounded x) {
    const double value = SignOf(x.value);
    return Bounded{value, std::max(SignOf(x.high()) - value, value - SignOf(x.low()))};
  });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Sign) = {
    .doc = {.formula = "1, 0 or -1", .source = "TFLite SIGN"},
    .signature = "T -> T; T = float32|float64|int32",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
