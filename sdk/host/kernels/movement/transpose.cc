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

// perm[d]: the input's dimension that becomes dimension d.
litert::Expected<std::vector<int64_t>> PermutationOf(const Node& node) {
  const Operand& perm = *node.inputs[1];
  const size_t rank = node.inputs[0]->shape.size();
  if (perm.elems() != static_cast<int64_t>(rank))
    return InvalidNode(node, &perm, fmt::format("must name each of {} dimensions", rank));
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> values, IntegerValues(node, perm));
  std::vector<bool> seen(rank, false);
  for (int64_t& value : values) {
    const int64_t given = value;
    if (value < 0) value += static_cast<int64_t>(rank);
    if (value < 0 || value >= static_cast<int64_t>(rank) || seen[value]) {
      return InvalidNode(
          node, &perm,
          fmt::format("is no permutation: dimension {} is out of range or stands twice", given));
    }
    seen[value] = true;
  }
  return values;
}

litert::Expected<Inferred> Infer(const Node& node) {
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> perm, PermutationOf(node));
  Shape shape;
  for (int64_t from : perm) shape.push_back(node.inputs[0]->shape[from]);
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> perm, PermutationOf(node));
  const Shape& shape = node.inputs[0]->shape;
  const std::vector<int64_t> in = StridesOf(shape);
  const std::vector<int64_t> out = StridesOf(node.outputs[0]->shape);
  StridedCopy copy;
  for (size_t d = 0; d < perm.size(); ++d) {
    copy.dims.push_back({.extent = shape[perm[d]], .in_stride = in[perm[d]], .out_stride = out[d]});
  }
  return MakeCopies({copy}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Transpose) = {
    .doc = {.formula = "dimension d of the output is dimension perm[d] of the input",
            .source = "TFLite TRANSPOSE"},
    .signature = "T, int32|int64 -> T; int4, int32|int64 -> int4; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
