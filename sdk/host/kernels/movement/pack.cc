// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels::op_pack {
namespace {

litert::Expected<int32_t> AxisOf(const Node& node) {
  const auto* options = node.op->OptionsAs<PackOptions>();
  return ResolveAxis(node, options == nullptr ? 0 : options->axis,
                     node.inputs[0]->shape.size() + 1);
}

litert::Expected<Inferred> Infer(const Node& node) {
  const size_t count = node.inputs.size();
  LITERT_RETURN_IF_ERROR(
      CheckNode(node, {.min_inputs = std::max<size_t>(count, 1), .max_inputs = count}));
  const Operand& first = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, first));
  const auto* options = node.op->OptionsAs<PackOptions>();
  if (options != nullptr && options->values_count != static_cast<int64_t>(count)) {
    return InvalidNode(node, "has " + std::to_string(count) + " inputs, values_count is " +
                                 std::to_string(options->values_count));
  }
  for (const Operand* input : node.inputs) {
    LITERT_RETURN_IF_ERROR(CheckSameType(node, *input, first));
    if (input->shape != first.shape)
      return InvalidNode(node, input, "must have the shape of " + OperandName(&first));
  }
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  Shape shape = first.shape;
  shape.insert(shape.begin() + axis, static_cast<int32_t>(count));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  const Shape& shape = node.inputs[0]->shape;
  const int64_t outer = ElemsOf(shape, 0, axis);
  const int64_t run = ElemsOf(shape, axis, shape.size());
  const auto count = static_cast<int64_t>(node.inputs.size());
  std::vector<StridedCopy> copies;
  for (int64_t i = 0; i < count; ++i) {
    copies.push_back({.input = static_cast<size_t>(i),
                      .out_offset = i * run,
                      .dims = {{.extent = outer, .in_stride = run, .out_stride = count * run},
                               {.extent = run, .in_stride = 1, .out_stride = 1}}});
  }
  return MakeCopies(std::move(copies), elem_bytes);
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return PrepareMovement(node, Make);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  return OracleByMoving(node, inputs, outputs, Make, kAllInputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the inputs as slices along a new dimension at axis",
            .source = "TFLite PACK",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_pack
