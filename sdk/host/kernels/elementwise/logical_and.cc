// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels::op_logical_and {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferBinarySameType(node, {kLiteRtElementTypeBool});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return MakeBinary<uint8_t>(node,
                             [](uint8_t a, uint8_t b) -> uint8_t { return a != 0 && b != 0; });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "a and b", .source = "TFLite LOGICAL_AND", .types = "bool"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = OracleByKernel,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_logical_and
