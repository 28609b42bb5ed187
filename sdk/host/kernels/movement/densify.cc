// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// DENSIFY. A kernel never sees sparse bytes: whoever makes the node expands constants that have a
// sparsity (sdk/host/model/sparsity/sparse_constant.h). So nothing is left to do but to pass them on.

#include <cstring>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class PassKernel final : public Kernel {
 public:
  PassKernel() { in_place_input_ = 0; }
  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<uint8_t> out = context.outputs[0];
    if (!out.empty() && out.data() != context.inputs[0].data())
      std::memcpy(out.data(), context.inputs[0].data(), out.size());
    return {};
  }
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& /*node*/, size_t /*elem_bytes*/) {
  return std::unique_ptr<Kernel>(std::make_unique<PassKernel>());
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Densify) = {
    .doc = {.formula = "a constant of which the file holds only what is not zero, whole",
            .source = "TFLite DENSIFY"},
    .signature = "T -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, kAllInputs>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
