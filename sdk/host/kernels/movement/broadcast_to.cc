// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& wanted = *node.inputs[1];
  if (wanted.shape.size() != 1 || wanted.shape[0] > static_cast<int32_t>(kMaxRank))
    return InvalidNode(node, &wanted, "must be a vector of at most 8 elements");
  if (IsUnknown(wanted)) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, IntegerValues(node, wanted));
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  bool fits = shape.size() >= in.shape.size();
  for (size_t i = 0; fits && i < in.shape.size(); ++i) {  // from the last dimension
    const int32_t from = in.shape[in.shape.size() - 1 - i];
    fits = from == 1 || from == shape[shape.size() - 1 - i];
  }
  if (!fits) return InvalidNode(node, &in, "cannot be broadcast to " + ShapeText(shape));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  const Shape& in = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const std::vector<int64_t> from = StridesOf(in);
  const std::vector<int64_t> to = StridesOf(out);
  const size_t added = out.size() - in.size();
  StridedCopy copy;
  for (size_t d = 0; d < out.size(); ++d) {
    const bool repeated = d < added || in[d - added] == 1;
    copy.dims.push_back(
        {.extent = out[d], .in_stride = repeated ? 0 : from[d - added], .out_stride = to[d]});
  }
  return MakeCopies({copy}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(BroadcastTo) = {
    .doc = {.formula = "the input repeated along dimensions that are 1 or missing in it",
            .source = "TFLite BROADCAST_TO"},
    .signature = "T, int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
