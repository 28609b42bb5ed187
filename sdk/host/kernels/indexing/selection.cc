// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/indexing/selection.h"

#include <cstring>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

class SelectionKernel final : public Kernel {
 public:
  SelectionKernel(const BroadcastPlan<3>& plan, size_t elem_bytes)
      : plan_(plan), elem_bytes_(elem_bytes) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* condition = context.inputs[0].data();
    const uint8_t* yes = context.inputs[1].data();
    const uint8_t* no = context.inputs[2].data();
    uint8_t* out = context.outputs[0].data();
    if (context.outputs[0].empty()) return {};
    plan_.ForEachRow(0, plan_.rows, [&](const auto& offsets, int64_t at) {
      for (int64_t i = 0; i < plan_.row.extent; ++i) {
        const bool chosen = condition[offsets[0] + i * plan_.row.stride[0]] != 0;
        const int64_t from =
            chosen ? offsets[1] + i * plan_.row.stride[1] : offsets[2] + i * plan_.row.stride[2];
        std::memcpy(out + (at + i) * elem_bytes_, (chosen ? yes : no) + from * elem_bytes_,
                    elem_bytes_);
      }
    });
    return {};
  }

 private:
  BroadcastPlan<3> plan_;
  size_t elem_bytes_;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  Shape condition = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const auto* op = node.op;
  // SELECT aligns a vector of conditions with the first dimension.
  if (op->code == kLiteRtOpCodeTflSelect && condition.size() == 1 && out.size() > 1)
    condition.resize(out.size(), 1);
  const auto plan =
      PlanBroadcast<3>(out, {condition, node.inputs[1]->shape, node.inputs[2]->shape});
  return std::unique_ptr<Kernel>(std::make_unique<SelectionKernel>(plan, elem_bytes));
}

}  // namespace

litert::Expected<Inferred> InferSelection(const Node& node, bool broadcasts) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 3, .max_inputs = 3}));
  const Operand& condition = *node.inputs[0];
  const Operand& yes = *node.inputs[1];
  const Operand& no = *node.inputs[2];
  LITERT_RETURN_IF_ERROR(CheckType(node, condition, {kLiteRtElementTypeBool}));
  LITERT_RETURN_IF_ERROR(ElemBytes(node, yes));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, no, yes));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *node.outputs[0], yes));
  if (broadcasts) {
    LITERT_ASSIGN_OR_RETURN(const Shape both, BroadcastShapes(node, yes, no));
    Operand values = yes;
    values.shape = both;
    LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, condition, values));
    return Inferred{.shapes = {std::move(shape)}};
  }
  if (yes.shape != no.shape)
    return InvalidNode(node, &no, "must have the shape of " + OperandName(&yes));
  const bool fits =
      condition.shape == yes.shape || condition.elems() == 1 ||
      (condition.shape.size() == 1 && !yes.shape.empty() && condition.shape[0] == yes.shape[0]);
  if (!fits) return InvalidNode(node, &condition, "must be a scalar or fit " + OperandName(&yes));
  return Inferred{.shapes = {yes.shape}};
}

litert::Expected<std::unique_ptr<Kernel>> PrepareSelection(const Node& node,
                                                           const PrepareOptions& /*options*/) {
  return PrepareMovement(node, Make);
}

litert::Expected<void> SelectionOracle(const Node& node,
                                       std::span<const OracleTensor* const> inputs,
                                       std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, Make, InputMask{0b110});
}

}  // namespace npukit::kernels
