// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& multiples = *node.inputs[1];
  if (multiples.elems() != static_cast<int64_t>(in.shape.size()))
    return InvalidNode(node, &multiples, "must have an element for each dimension");
  if (IsUnknown(multiples)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(std::vector<int64_t> dims, IntegerValues(node, multiples));
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] < 0 || __builtin_mul_overflow(dims[d], int64_t{in.shape[d]}, &dims[d]))
      return InvalidNode(node, &multiples, "holds an impossible multiple");
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  const Shape& in = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const std::vector<int64_t> from = StridesOf(in);
  const std::vector<int64_t> to = StridesOf(out);
  StridedCopy copy;
  for (size_t d = 0; d < in.size(); ++d) {
    copy.dims.push_back(
        {.extent = in[d] == 0 ? 0 : out[d] / in[d], .in_stride = 0, .out_stride = in[d] * to[d]});
    copy.dims.push_back({.extent = in[d], .in_stride = from[d], .out_stride = to[d]});
  }
  return MakeCopies({copy}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Tile) = {
    .doc = {.formula = "the input multiples[d] times side by side in each dimension d",
            .source = "TFLite TILE"},
    .signature = "T, int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
