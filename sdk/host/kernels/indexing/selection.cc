// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SELECT and SELECT_V2. Inputs: 0 condition (bool), 1 where it is true, 2 where it is false.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/packed_integers.h"
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

bool AreSingle(const Node& node) {
  return std::ranges::all_of(node.inputs,
                             [](const Operand* operand) { return operand->elems() == 1; });
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  Shape condition = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const auto* op = node.op;
  // SELECT aligns a vector of conditions with the first dimension.
  if (op->code == kLiteRtOpCodeTflSelect && condition.size() == 1 && out.size() > 1)
    condition.resize(out.size(), 1);
  const auto plan =
      AreSingle(node)
          ? PlanBroadcast<3>({}, {Shape(), Shape(), Shape()})
          : PlanBroadcast<3>(out, {condition, node.inputs[1]->shape, node.inputs[2]->shape});
  return std::unique_ptr<Kernel>(std::make_unique<SelectionKernel>(plan, elem_bytes));
}

// Where all of them are single elements, whatever their ranks, TFLite leaves the output the shape that
// the file gives it.
std::optional<Inferred> InferSingle(const Node& node) {
  const Shape& stated = node.outputs[0]->tensor->shape;
  if (!AreSingle(node) || std::ranges::any_of(stated, [](int32_t dim) { return dim != 1; }))
    return std::nullopt;
  return Inferred{.shapes = {stated}};
}

// The condition has the others' shape, is a scalar, or has one element per slice of their first
// dimension.
litert::Expected<Inferred> InferSelect(const Node& node) {
  if (std::optional<Inferred> single = InferSingle(node)) return *std::move(single);
  const Operand& condition = *node.inputs[0];
  const Operand& yes = *node.inputs[1];
  const Operand& no = *node.inputs[2];
  if (yes.shape != no.shape)
    return InvalidNode(node, &no, "must have the shape of " + OperandName(&yes));
  const bool fits =
      condition.shape == yes.shape || condition.elems() == 1 ||
      (condition.shape.size() == 1 && !yes.shape.empty() && condition.shape[0] == yes.shape[0]);
  if (!fits) return InvalidNode(node, &condition, "must be a scalar or fit " + OperandName(&yes));
  return Inferred{.shapes = {yes.shape}};
}

// All three are broadcast.
litert::Expected<Inferred> InferSelectV2(const Node& node) {
  if (std::optional<Inferred> single = InferSingle(node)) return *std::move(single);
  Operand values = *node.inputs[1];
  LITERT_ASSIGN_OR_RETURN(values.shape, BroadcastShapes(node, *node.inputs[1], *node.inputs[2]));
  LITERT_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(node, *node.inputs[0], values));
  return Inferred{.shapes = {std::move(shape)}};
}

double NumberAt(const OracleTensor& tensor, int64_t elem) {
  return tensor.is_float() ? tensor.values[elem]
                           : static_cast<double>(IntegerAt(tensor.type, tensor.bytes, elem));
}

// Each element with its bound, or that of `other` with its own.
void Widen(OracleTensor& out, const OracleTensor& other) {
  out.bounds.resize(static_cast<size_t>(out.elems()));
  for (int64_t i = 0; i < out.elems(); ++i) {
    const double here = NumberAt(out, i);
    const double there = NumberAt(other, i);
    const bool are_equal = here == there || (std::isnan(here) && std::isnan(there));
    const double beyond = other.bounds.empty() ? 0 : other.bounds[i];
    const double reach = (are_equal ? 0 : std::fabs(here - there)) + beyond;
    out.bounds[i] = std::isnan(reach) ? std::numeric_limits<double>::infinity()
                                      : std::max(out.bounds[i], reach);
  }
}

// Where the condition is in doubt, both values lie within the bound.
litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  constexpr auto kMove = OracleByMoving<Make, InputMask{0b110}>;
  if (!inputs[0]->is_uncertain() || IsPacked(node.outputs[0]->type()))
    return kMove(node, inputs, outputs);
  OracleTensor condition = *inputs[0];
  std::vector<double> doubts;
  condition.bounds.swap(doubts);
  const std::vector<const OracleTensor*> settled = {&condition, inputs[1], inputs[2]};
  std::vector<OracleTensor> others(outputs.begin(), outputs.end());
  LITERT_RETURN_IF_ERROR(kMove(node, settled, outputs));
  for (size_t i = 0; i < doubts.size(); ++i) {
    if (doubts[i] != 0) condition.bytes[i] = condition.bytes[i] == 0 ? 1 : 0;
  }
  LITERT_RETURN_IF_ERROR(kMove(node, settled, others));
  Widen(outputs[0], others[0]);
  return {};
}

constexpr OperatorParts SelectionOperator(const Documentation& doc,
                                          litert::Expected<Inferred> (*infer)(const Node& node)) {
  return {.doc = doc,
          .signature = "bool, T, T -> T; T = bytes",
          .infer = infer,
          .prepare = PrepareMovement<Make>,
          .oracle = Oracle,
          .tolerance = kExactResult};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Select) = SelectionOperator(
    {.formula = "b where the condition is true, c else; the condition has their shape, is a "
                "scalar, or one element per slice of the first dimension",
     .source = "TFLite SELECT"},
    InferSelect);

NPUKIT_DEFINE_OPERATOR(SelectV2) =
    SelectionOperator({.formula = "b where the condition is true, c else, all three broadcast",
                       .source = "TFLite SELECT_V2"},
                      InferSelectV2);

}  // namespace npukit::kernels
