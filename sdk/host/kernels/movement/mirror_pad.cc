// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/padding.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// Elements of a dimension that are copied together: out[out_begin + i] = in[in_begin + i step].
struct Segment {
  int64_t extent = 0;
  int64_t in_begin = 0;
  int64_t out_begin = 0;
  int64_t step = 1;
};

// How far inside the edge the mirror stands: 1 where the edge is not repeated.
litert::Expected<int64_t> InsetOf(const Node& node) {
  const auto* options = node.op->OptionsAs<MirrorPadOptions>();
  const MirrorPadMode mode = options == nullptr ? MirrorPadMode::kReflect : options->mode;
  if (mode != MirrorPadMode::kReflect && mode != MirrorPadMode::kSymmetric)
    return UnsupportedNode(node, "has an unknown mode");
  return mode == MirrorPadMode::kReflect ? 1 : 0;
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& in = *node.inputs[0];
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> paddings, PaddingsOf(node));
  LITERT_ASSIGN_OR_RETURN(const int64_t inset, InsetOf(node));
  std::vector<int64_t> dims;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    const int64_t limit = std::max<int64_t>(in.shape[d] - inset, 0);
    if (paddings[2 * d] > limit || paddings[2 * d + 1] > limit) {
      return InvalidNode(
          node, node.inputs[1],
          fmt::format("asks for more than the {} elements that can be mirrored in dimension {}",
                      limit, d));
    }
    dims.push_back(in.shape[d] + paddings[2 * d] + paddings[2 * d + 1]);
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Every combination of the segments of each dimension.
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> paddings, PaddingsOf(node));
  LITERT_ASSIGN_OR_RETURN(const int64_t inset, InsetOf(node));
  const Shape& shape = node.inputs[0]->shape;
  const std::vector<int64_t> in = StridesOf(shape);
  const std::vector<int64_t> out = StridesOf(node.outputs[0]->shape);
  std::vector<StridedCopy> copies(1);
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t before = paddings[2 * d];
    const int64_t after = paddings[2 * d + 1];
    const Segment segments[] = {
        {.extent = before, .in_begin = before - 1 + inset, .out_begin = 0, .step = -1},
        {.extent = shape[d], .in_begin = 0, .out_begin = before},
        {.extent = after,
         .in_begin = shape[d] - 1 - inset,
         .out_begin = before + shape[d],
         .step = -1}};
    std::vector<StridedCopy> extended;
    for (const StridedCopy& copy : copies) {
      for (const Segment& segment : segments) {
        if (segment.extent == 0) continue;
        StridedCopy next = copy;
        next.in_offset += segment.in_begin * in[d];
        next.out_offset += segment.out_begin * out[d];
        next.dims.push_back(
            {.extent = segment.extent, .in_stride = segment.step * in[d], .out_stride = out[d]});
        extended.push_back(std::move(next));
      }
    }
    copies = std::move(extended);
  }
  return MakeCopies(std::move(copies), elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(MirrorPad) = {
    .doc = {.formula = "the input with its mirror image around it: REFLECT without the edge, "
                       "SYMMETRIC with it",
            .source = "TFLite MIRROR_PAD"},
    .signature = "T, int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
