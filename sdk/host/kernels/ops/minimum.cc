// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/arithmetic.h"
#include "sdk/host/kernels/movement.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferBinarySameType(
      node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
             kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64});
}

template <typename T>
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node) {
  return MakeBinary<T>(node, [](T a, T b) { return a < b ? a : b; });
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  switch (node.outputs[0]->type()) {
    case kLiteRtElementTypeInt8:
      return Make<int8_t>(node);
    case kLiteRtElementTypeUInt8:
      return Make<uint8_t>(node);
    case kLiteRtElementTypeInt16:
      return Make<int16_t>(node);
    case kLiteRtElementTypeInt32:
      return Make<int32_t>(node);
    case kLiteRtElementTypeInt64:
      return Make<int64_t>(node);
    default:
      return Make<float>(node);
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (!outputs[0].is_float()) return OracleByKernel(node, inputs, outputs);
  return BinaryOracle(node, inputs, outputs, [](Bounded a, Bounded b) { return Min(a, b); });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(minimum) = {
    .doc = {.formula = "the smaller of a and b; quantised tensors, which have one scale, as stored",
            .source = "TFLite MINIMUM, reference kernels",
            .types = "float32, int8, uint8, int16, int32, int64"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels
