// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels::op_reduce_all {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return InferReduction(node, {kLiteRtElementTypeBool});
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return MakeReduction<uint8_t, uint8_t>(
      node, uint8_t{true},
      [](uint8_t so_far, uint8_t value) { return uint8_t{so_far != 0 && value != 0}; },
      [](uint8_t value) { return value; });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "whether all elements over the axes are true",
            .source = "TFLite REDUCE_ALL",
            .types = "bool"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = OracleByKernel,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_reduce_all
