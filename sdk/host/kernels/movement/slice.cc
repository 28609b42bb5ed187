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

struct Part {
  std::vector<int64_t> begin;
  Shape extents;
};

// A size of -1: all that is left.
litert::Expected<Part> PartOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  Part part;
  LITERT_ASSIGN_OR_RETURN(part.begin, IntegerValues(node, *node.inputs[1]));
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> size, IntegerValues(node, *node.inputs[2]));
  for (size_t d = 0; d < in.shape.size(); ++d) {
    const int64_t begin = part.begin[d];
    if (begin < 0 || begin > in.shape[d]) {
      return InvalidNode(
          node, node.inputs[1],
          fmt::format("begins at {} in dimension {}, outside {}", begin, d, OperandName(&in)));
    }
    const int64_t left = in.shape[d] - begin;
    if (size[d] < -1 || size[d] > left) {
      return InvalidNode(node, node.inputs[2],
                         fmt::format("holds the size {} where {} elements are left in dimension {}",
                                     size[d], left, d));
    }
    part.extents.push_back(static_cast<int32_t>(size[d] == -1 ? left : size[d]));
  }
  return part;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  for (size_t i : {1, 2}) {
    if (node.inputs[i]->elems() != static_cast<int64_t>(in.shape.size()))
      return InvalidNode(node, node.inputs[i], "must have an element for each dimension");
    if (IsUnknown(*node.inputs[i])) return Inferred::NeedsValueOf(i);
  }
  LITERT_ASSIGN_OR_RETURN(Part part, PartOf(node));
  return Inferred{.shapes = {std::move(part.extents)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const Part part, PartOf(node));
  const std::vector<int64_t> ones(part.begin.size(), 1);
  return MakeCopies({CopyOfPart(node.inputs[0]->shape, part.begin, ones, part.extents)},
                    elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Slice) = {
    .doc = {.formula = "elements begin[d] to begin[d] + size[d] of each dimension d; a size of -1 "
                       "takes all that are left",
            .source = "TFLite SLICE"},
    .signature =
        "T, int32|int64, int32|int64 -> T; int4, int32|int64, int32|int64 -> int4; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
