// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels::op_logical_not {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferUnarySameType(node, {kLiteRtElementTypeBool});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return MakeUnary<uint8_t>(node, [](uint8_t a) -> uint8_t { return a == 0; });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "not a", .source = "TFLite LOGICAL_NOT", .types = "bool"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = OracleByKernel,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_logical_not
