// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Inputs: 0 dimensions, 1 the value.
litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& dims = *node.inputs[0];
  const Operand& value = *node.inputs[1];
  if (dims.shape.size() != 1 || dims.shape[0] > 8)
    return InvalidNode(node, &dims, "must be a vector of at most 8 elements");
  if (value.elems() != 1) return InvalidNode(node, &value, "must have one element");
  if (IsUnknown(dims)) return Inferred::NeedsValueOf(0);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, dims));
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, values));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  StridedCopy copy{.input = 1};
  const Shape& shape = node.outputs[0]->shape;
  const std::vector<int64_t> strides = StridesOf(shape);
  for (size_t d = 0; d < shape.size(); ++d)
    copy.dims.push_back({.extent = shape[d], .in_stride = 0, .out_stride = strides[d]});
  return MakeCopies({copy}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Fill) = {
    .doc = {.formula = "the value in the shape that input 0 gives", .source = "TFLite FILL"},
    .signature = "int32|int64, T -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{0b10}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
