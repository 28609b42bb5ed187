// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

litert::Expected<int32_t> AxisOf(const Node& node) {
  const auto* options = node.op->OptionsAs<PackOptions>();
  return ResolveAxis(node, options == nullptr ? 0 : options->axis,
                     node.inputs[0]->shape.size() + 1);
}

litert::Expected<Inferred> Infer(const Node& node) {
  const size_t count = node.inputs.size();
  const Operand& first = *node.inputs[0];
  const auto* options = node.op->OptionsAs<PackOptions>();
  if (options != nullptr && options->values_count != static_cast<int64_t>(count)) {
    return InvalidNode(
        node, fmt::format("has {} inputs, values_count is {}", count, options->values_count));
  }
  for (const Operand* input : node.inputs) {
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

}  // namespace

NPUKIT_DEFINE_OPERATOR(Pack) = {
    .doc = {.formula = "the inputs as slices along a new dimension at axis",
            .source = "TFLite PACK"},
    .signature = "T+ -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, kAllInputs>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
