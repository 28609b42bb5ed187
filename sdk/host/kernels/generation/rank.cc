// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& /*node*/) { return Inferred{.shapes = {{}}}; }

class RankKernel final : public Kernel {
 public:
  explicit RankKernel(const Node& node)
      : rank_(static_cast<int32_t>(node.inputs[0]->shape.size())) {}
  litert::Expected<void> Run(const RunContext& context) const override {
    *DataOf<int32_t>(context.outputs[0]) = rank_;
    return {};
  }

 private:
  int32_t rank_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return std::unique_ptr<Kernel>(std::make_unique<RankKernel>(node));
}

// The input's elements do not matter, nor does their doubt.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> /*inputs*/,
                              std::span<OracleTensor> outputs) {
  *DataOf<int32_t>(std::span<uint8_t>(outputs[0].bytes)) =
      static_cast<int32_t>(node.inputs[0]->shape.size());
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Rank) = {
    .doc = {.formula = "the number of dimensions of the input", .source = "TFLite RANK"},
    .signature = "any -> int32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
