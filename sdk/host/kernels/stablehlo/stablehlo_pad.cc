// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

constexpr int64_t kMostPadding = int64_t{1} << 31;

litert::Expected<const StablehloPadOptions*> OptionsOf(const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloPadOptions>();
  const size_t rank = node.inputs[0]->shape.size();
  if (options == nullptr || options->edge_padding_low.size() < rank ||
      options->edge_padding_high.size() < rank || options->interior_padding.size() < rank) {
    return InvalidNode(node, "needs paddings for each dimension");
  }
  for (size_t d = 0; d < rank; ++d) {
    const int64_t low = options->edge_padding_low[d];
    const int64_t high = options->edge_padding_high[d];
    const int64_t interior = options->interior_padding[d];
    if (std::max(low, high) >= kMostPadding || std::min(low, high) <= -kMostPadding ||
        interior < 0 || interior >= kMostPadding) {
      return InvalidNode(node, "has paddings out of range");
    }
  }
  return options;
}

litert::Expected<Inferred> Infer(const Node& node) {
  if (node.inputs[1]->elems() != 1)
    return InvalidNode(node, node.inputs[1], "must have one element");
  LITERT_ASSIGN_OR_RETURN(const auto* options, OptionsOf(node));
  const Shape& in = node.inputs[0]->shape;
  std::vector<int64_t> dims;
  for (size_t d = 0; d < in.size(); ++d) {
    const int64_t gaps = std::max<int64_t>(in[d] - 1, 0);
    dims.push_back(std::max<int64_t>(0, in[d] + gaps * options->interior_padding[d] +
                                            options->edge_padding_low[d] +
                                            options->edge_padding_high[d]));
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

// Element i lies at low + i * (interior + 1), if that is inside: a negative padding cuts.
litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const auto* options, OptionsOf(node));
  const Shape& in = node.inputs[0]->shape;
  const Shape& out = node.outputs[0]->shape;
  const std::vector<int64_t> in_strides = StridesOf(in);
  const std::vector<int64_t> out_strides = StridesOf(out);
  StridedCopy fill{.input = 1, .dims = {{.extent = node.outputs[0]->elems(), .out_stride = 1}}};
  StridedCopy spread;
  for (size_t d = 0; d < in.size(); ++d) {
    const int64_t step = options->interior_padding[d] + 1;
    const int64_t low = options->edge_padding_low[d];
    const int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const int64_t last = out[d] - 1 - low < 0 ? -1 : (out[d] - 1 - low) / step;
    const int64_t extent = std::max<int64_t>(0, std::min<int64_t>(last, in[d] - 1) - first + 1);
    spread.dims.push_back(
        {.extent = extent, .in_stride = in_strides[d], .out_stride = out_strides[d] * step});
    if (extent == 0) return MakeCopies({fill}, elem_bytes);
    spread.in_offset += first * in_strides[d];
    spread.out_offset += (low + first * step) * out_strides[d];
  }
  return MakeCopies({fill, spread}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ShloPad) = {
    .doc = {.formula = "the input with low and high elements at the edges of each dimension and "
                       "interior ones between any two, all of them input 1; negative edges cut",
            .source = "TFLite STABLEHLO_PAD"},
    .signature = "T, T -> T; T = bytes8",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, kAllInputs>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
