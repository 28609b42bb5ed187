// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LOGICAL_AND, LOGICAL_OR and LOGICAL_NOT. Any byte but 0 is true.

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<std::unique_ptr<Kernel>> PrepareAnd(const Node& node,
                                                     const PrepareOptions& /*options*/) {
  return MakeBinary<uint8_t>(node,
                             [](uint8_t a, uint8_t b) -> uint8_t { return a != 0 && b != 0; });
}

litert::Expected<std::unique_ptr<Kernel>> PrepareOr(const Node& node,
                                                    const PrepareOptions& /*options*/) {
  return MakeBinary<uint8_t>(node,
                             [](uint8_t a, uint8_t b) -> uint8_t { return a != 0 || b != 0; });
}

litert::Expected<std::unique_ptr<Kernel>> PrepareNot(const Node& node,
                                                     const PrepareOptions& /*options*/) {
  return MakeUnary<uint8_t>(node, [](uint8_t a) -> uint8_t { return a == 0; });
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(LogicalAnd) = {
    .doc = {.formula = "a and b", .source = "TFLite LOGICAL_AND"},
    .signature = "bool, bool -> bool",
    .infer = InferBroadcast,
    .prepare = PrepareAnd,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(LogicalOr) = {
    .doc = {.formula = "a or b", .source = "TFLite LOGICAL_OR"},
    .signature = "bool, bool -> bool",
    .infer = InferBroadcast,
    .prepare = PrepareOr,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(LogicalNot) = {
    .doc = {.formula = "not a", .source = "TFLite LOGICAL_NOT"},
    .signature = "bool -> bool",
    .infer = InferSameShape,
    .prepare = PrepareNot,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
