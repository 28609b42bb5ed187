// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels::op_expand_dims {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 2}));
  const Operand& in = *node.inputs[0];
  const Operand& axis = *node.inputs[1];
  LITERT_RETURN_IF_ERROR(CheckMovingTypes(node, in));
  if (axis.elems() != 1) return InvalidNode(node, &axis, "must have one element");
  if (IsUnknown(axis)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> values, IntegerValues(node, axis));
  LITERT_ASSIGN_OR_RETURN(const int32_t at, ResolveAxis(node, values[0], in.shape.size() + 1));
  Shape shape = in.shape;
  shape.insert(shape.begin() + at, 1);
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR = {
    .doc = {.formula = "the same elements with a dimension of 1 at axis",
            .source = "TFLite EXPAND_DIMS",
            .types = "any of whole bytes"},
    .infer = Infer,
    .prepare = PrepareWholeCopy,
    .oracle = WholeCopyOracle,
    .tolerance = ExactTolerance,
};

}  // namespace npukit::kernels::op_expand_dims
