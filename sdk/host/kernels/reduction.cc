// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/reduction.h"

#include <vector>

#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/op_options.h"

namespace npukit::kernels {
namespace {

// Per input dimension: whether it is reduced.
litert::Expected<std::vector<bool>> ReducedDims(const Node& node) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, IntegerValues(node, *node.inputs[1]));
  std::vector<bool> reduced(in.shape.size(), false);
  if (in.shape.empty()) return reduced;  // a scalar: its axes do not matter
  for (int64_t axis : axes) {
    LITERT_ASSIGN_OR_RETURN(const int32_t resolved, ResolveAxis(node, axis, in.shape.size()));
    reduced[resolved] = true;
  }
  return reduced;
}

}  // namespace

litert::Expected<Reduction> ReductionOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedDims(node));
  Reduction reduction;
  int64_t in_stride = 1;
  int64_t out_stride = 1;
  std::vector<Reduction::Dim> merged;  // from the last dimension
  for (size_t d = in.shape.size(); d-- > 0;) {
    const int64_t extent = in.shape[d];
    if (reduced[d]) reduction.count *= extent;
    const bool joins = !merged.empty() && reduced[d] == (merged.back().out_stride == 0);
    if (extent != 1 && joins) {
      merged.back().extent *= extent;
    } else if (extent != 1) {
      merged.push_back(
          {.extent = extent, .in_stride = in_stride, .out_stride = reduced[d] ? 0 : out_stride});
    }
    in_stride *= extent;
    if (!reduced[d]) out_stride *= extent;
  }
  reduction.out_elems = out_stride;
  for (size_t i = merged.size(); i-- > 0;) reduction.dims[reduction.rank++] = merged[i];
  return reduction;
}

litert::Expected<Inferred> InferReduction(const Node& node,
                                          std::initializer_list<LiteRtElementType> types) {
  LITERT_RETURN_IF_ERROR(CheckNode(node, {.min_inputs = 2, .max_inputs = 2}));
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(CheckType(node, in, types));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *node.outputs[0], in));
  LITERT_RETURN_IF_ERROR(CheckType(node, *node.inputs[1], {kLiteRtElementTypeInt32}));
  if (IsUnknown(*node.inputs[1])) return Inferred::NeedsValueOf(1);
  LITERT_ASSIGN_OR_RETURN(const std::vector<bool> reduced, ReducedDims(node));
  const auto* options = node.op->OptionsAs<ReducerOptions>();
  const bool keep_dims = options != nullptr && options->keep_dims;
  Shape shape;
  for (size_t d = 0; d < in.shape.size(); ++d) {
    if (!reduced[d]) {
      shape.push_back(in.shape[d]);
    } else if (keep_dims) {
      shape.push_back(1);
    }
  }
  return Inferred{.shapes = {std::move(shape)}};
}

}  // namespace npukit::kernels
