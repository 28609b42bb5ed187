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
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node) {
  return MakeUnary<T>(
      node, [](T x) { return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x)); });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return Make<int8_t>(node);
    case kLiteRtElementTypeInt16:
      return Make<int16_t>(node);
    case kLiteRtElementTypeInt32:
      return Make<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return Make<int64_t>(node);
    case kLiteRtElementTypeFloat16:
    case kLiteRtElementTypeBFloat16:
      return MakeUnary<uint16_t>(node,
                                 [](uint16_t x) { return static_cast<uint16_t>(x ^ 0x8000); });
    default:
      return MakeUnary<float>(node, [](float x) { return -x; });
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return UnaryOracle(inputs, outputs, [](Bounded x) { return Bounded{-x.value, x.bound}; });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Neg) = {
    .doc = {.formula = "-x; integers wrap, and quantised ones are negated as stored, without a "
                       "look at their zero point",
            .source = "TFLite NEG, reference kernels"},
    .signature = "T -> T; T = float32|float16|bfloat16|int8|int16|int32|int64",
    .infer = InferSameShape,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
