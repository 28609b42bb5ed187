// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Which dimensions are reversed.
litert::Expected<std::vector<bool>> ReversedOf(const Node& node) {
  const size_t rank = node.inputs[0]->shape.size();
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, IntegerValues(node, *node.inputs[1]));
  std::vector<bool> reversed(rank, false);
  for (int64_t given : axes) {
    LITERT_ASSIGN_OR_RETURN(const int32_t axis, ResolveAxis(node, given, rank));
    if (reversed[axis])
      return InvalidNode(node, node.inputs[1], fmt::format("names axis {} twice", given));
    reversed[axis] = true;
  }
  return reversed;
}

litert::Expected<Inferred> Infer(const Node& node) {
  if (node.inputs[1]->shape.size() != 1)
    return InvalidNode(node, node.inputs[1], "must have one dimension");
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_RETURN_IF_ERROR(ReversedOf(node));
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> reversed, ReversedOf(node));
  const Shape& shape = node.inputs[0]->shape;
  std::vector<int64_t> begin;
  std::vector<int64_t> step;
  for (size_t d = 0; d < shape.size(); ++d) {
    begin.push_back(reversed[d] ? shape[d] - 1 : 0);
    step.push_back(reversed[d] ? -1 : 1);
  }
  return MakeCopies({CopyOfPart(shape, begin, step, shape)}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ReverseV2) = {
    .doc = {.formula = "the input with the named dimensions in reverse order",
            .source = "TFLite REVERSE_V2"},
    .signature = "T, int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
