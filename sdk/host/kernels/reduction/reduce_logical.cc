// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// REDUCE_ALL and REDUCE_ANY. Any byte but 0 is true.

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/reduction/reduction.h"

namespace npukit::kernels {
namespace {

litert::Expected<std::unique_ptr<Kernel>> PrepareAll(const Node& node,
                                                     const PrepareOptions& /*options*/) {
  return MakeAll(node);
}

litert::Expected<std::unique_ptr<Kernel>> PrepareAny(const Node& node,
                                                     const PrepareOptions& /*options*/) {
  return MakeAny(node);
}

}  // namespace

litert::Expected<std::unique_ptr<Kernel>> MakeAll(const Node& node) {
  return MakeReduction<uint8_t, uint8_t>(
      node, uint8_t{true},
      [](uint8_t so_far, uint8_t value) { return uint8_t{so_far != 0 && value != 0}; },
      [](uint8_t value) { return value; });
}

litert::Expected<std::unique_ptr<Kernel>> MakeAny(const Node& node) {
  return MakeReduction<uint8_t, uint8_t>(
      node, uint8_t{false},
      [](uint8_t so_far, uint8_t value) { return uint8_t{so_far != 0 || value != 0}; },
      [](uint8_t value) { return value; });
}

NPUKIT_DEFINE_OPERATOR(ReduceAll) = {
    .doc = {.formula = "whether all elements over the axes are true",
            .source = "TFLite REDUCE_ALL"},
    .signature = "bool, int32 -> bool",
    .infer = InferReduction,
    .prepare = PrepareAll,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

NPUKIT_DEFINE_OPERATOR(ReduceAny) = {
    .doc = {.formula = "whether some element over the axes is true", .source = "TFLite REDUCE_ANY"},
    .signature = "bool, int32 -> bool",
    .infer = InferReduction,
    .prepare = PrepareAny,
    .oracle = OracleByKernel,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
