// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& dilations = *node.inputs[1];
  if (in.shape.empty()) return InvalidNode(node, &in, "must have at least one dimension");
  if (dilations.shape != Shape{static_cast<int32_t>(in.shape.size())})
    return InvalidNode(node, &dilations, "must have an element for each dimension");
  if (node.inputs[2]->elems() != 1)
    return InvalidNode(node, node.inputs[2], "must have one element");
  if (IsUnknown(dilations)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> factors, IntegerValues(node, dilations));
  std::vector<int64_t> dims;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    if (factors[d] < 1) return InvalidNode(node, &dilations, "must hold numbers from 1 up");
    dims.push_back(in.shape[d] == 0 ? 0 : (in.shape[d] - 1) * factors[d] + 1);
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> factors, IntegerValues(node, *node.inputs[1]));
  const Shape& in = node.inputs[0]->shape;
  const std::vector<int64_t> in_strides = StridesOf(in);
  const std::vector<int64_t> out_strides = StridesOf(node.outputs[0]->shape);
  StridedCopy fill{.input = 2, .dims = {{.extent = node.outputs[0]->elems(), .out_stride = 1}}};
  StridedCopy spread;
  for (size_t d = 0; d < in.size(); ++d) {
    spread.dims.push_back(
        {.extent = in[d], .in_stride = in_strides[d], .out_stride = out_strides[d] * factors[d]});
  }
  return MakeCopies({fill, spread}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Dilate) = {
    .doc = {.formula = "the elements moved apart: dilations[d] - 1 elements, all of them input 2, "
                       "between any two in dimension d",
            .source = "TFLite DILATE"},
    .signature = "T, int32, T -> T; T = bytes8",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b101}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
