// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/unary/rectifier.h"

namespace npukit::kernels::op_relu6 {
namespace {

constexpr Rectifier kRectifier{.min = 0, .max = 6};

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8,
                                   kLiteRtElementTypeUInt8, kLiteRtElementTypeInt16});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  return PrepareRectifier(node, kRectifier, options);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return RectifierOracle(node, inputs, outputs, kRectifier);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "min(max(x, 0), 6); quantised: fixed(s_in / s_out) (x - zp_in) + zp_out, "
                       "clamped to the "
                       "quantised ends",
            .source = "TFLite RELU6",
            .types = "float32, int8, uint8, int16"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = BoundOrExactTolerance,
};

}  // namespace npukit::kernels::op_relu6
