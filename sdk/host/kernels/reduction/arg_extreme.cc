// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/reduction/arg_extreme.h"

#include <utility>
#include <vector>

#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<int32_t> AxisOf(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, IntegerValues(node, *node.inputs[1]));
  return ResolveAxis(node, axis[0], node.inputs[0]->shape.size());
}

}  // namespace

litert::Expected<ArgExtremePlan> PlanArgExtreme(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  const Shape& shape = node.inputs[0]->shape;
  return ArgExtremePlan{.outer = ElemsOf(shape, 0, axis),
                        .along = shape[axis],
                        .inner = ElemsOf(shape, axis + 1, shape.size())};
}

litert::Expected<Inferred> InferArgExtreme(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 2}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(
      CheckType(node, in,
                {kLiteRtElementTypeFloat32, kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8,
                 kLiteRtElementTypeInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeInt64,
                 kLiteRtElementTypeBool}));
  LITERT_RETURN_IF_ERROR(
      CheckType(node, *node.outputs[0], {kLiteRtElementTypeInt32, kLiteRtElementTypeInt64}));
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  Shape shape = in.shape;
  shape.erase(shape.begin() + axis);
  if (in.shape[axis] == 0 && ElemsOf(shape) > 0)
    return InvalidNode(node, &in, "has no elements along the axis");
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels
