// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/elementwise/elementwise.h"
#include "sdk/host/kernels/movement/movement.h"

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_rank {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {}));
  LITERT_RETURN_IF_ERROR(CheckType(node, *node.outputs[0], {kLiteRtElementTypeInt32}));
  return Inferred{.shapes = {{}}};
}

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

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the number of dimensions of the input",
            .source = "TFLite RANK",
            .types = "any; the output int32"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_rank
