// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/indexing/named_dims.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Windows of slice_sizes at the places that the index vectors name. The output's offset dimensions
// walk over a window, without those that are collapsed, the others over the index vectors.
litert::Expected<Inferred> Infer(const Node& node) {
  const auto* options = node.op->OptionsAs<StablehloGatherOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Shape& operand = node.inputs[0]->shape;
  const Shape& indices = node.inputs[1]->shape;
  const auto depth = options->index_vector_dim;
  if (options->slice_sizes.size() != operand.size())
    return InvalidNode(node, "needs a slice size for each dimension");
  if (depth < 0 || depth > static_cast<int64_t>(indices.size()))
    return InvalidNode(node, node.inputs[1], "has no dimension of index vectors");
  LITERT_RETURN_IF_ERROR(DimsNamed(node, options->collapsed_slice_dims, operand.size()));
  LITERT_RETURN_IF_ERROR(DimsNamed(node, options->start_index_map, operand.size()));
  const int64_t vector =
      depth == static_cast<int64_t>(indices.size()) ? 1 : indices[static_cast<size_t>(depth)];
  if (vector != static_cast<int64_t>(options->start_index_map.size()))
    return InvalidNode(node, node.inputs[1], "must have an index for each mapped dimension");
  std::vector<int64_t> window;
  for (size_t d = 0; d < operand.size(); ++d) {
    if (options->slice_sizes[d] < 0 || options->slice_sizes[d] > operand[d])
      return InvalidNode(node, "has a slice larger than the input");
    const bool collapsed = Holds(options->collapsed_slice_dims, d);
    if (collapsed && options->slice_sizes[d] != 1)
      return InvalidNode(node, "collapses a dimension of a slice that is not 1");
    if (!collapsed) window.push_back(options->slice_sizes[d]);
  }
  std::vector<int64_t> batch;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<int64_t>(d) != depth) batch.push_back(indices[d]);
  }
  const size_t rank = window.size() + batch.size();
  LITERT_RETURN_IF_ERROR(DimsNamed(node, options->offset_dims, rank));
  std::vector<int64_t> dims;
  size_t next_window = 0;
  size_t next_batch = 0;
  for (size_t d = 0; d < rank; ++d) {
    const bool is_offset = Holds(options->offset_dims, d);
    if (is_offset ? next_window == window.size() : next_batch == batch.size())
      return InvalidNode(node, "has offset dimensions that do not fit its slices");
    dims.push_back(is_offset ? window[next_window++] : batch[next_batch++]);
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

class GatherKernel final : public Kernel {
 public:
  GatherKernel(const Node& node, size_t elem_bytes)
      : indices_(node, 1), elem_bytes_(elem_bytes), out_(node.outputs[0]->shape) {
    const auto& options = *node.op->OptionsAs<StablehloGatherOptions>();
    const Shape& operand = node.inputs[0]->shape;
    const Shape& indices = node.inputs[1]->shape;
    const std::vector<int64_t> operand_strides = StridesOf(operand);
    const std::vector<int64_t> index_strides = StridesOf(indices);
    const auto depth = static_cast<size_t>(options.index_vector_dim);
    vector_stride_ = depth == indices.size() ? 0 : index_strides[depth];
    for (int64_t d : options.start_index_map) {
      const auto dim = static_cast<size_t>(d);
      starts_.push_back(
          {.stride = operand_strides[dim], .most = operand[dim] - options.slice_sizes[dim]});
    }
    std::vector<int64_t> window_strides;
    for (size_t d = 0; d < operand.size(); ++d) {
      if (!Holds(options.collapsed_slice_dims, d)) window_strides.push_back(operand_strides[d]);
    }
    std::vector<int64_t> batch_strides;
    for (size_t d = 0; d < indices.size(); ++d) {
      if (d != depth) batch_strides.push_back(index_strides[d]);
    }
    size_t next_window = 0;
    size_t next_batch = 0;
    for (size_t d = 0; d < out_.size(); ++d) {
      const bool is_offset = Holds(options.offset_dims, d);
      steps_.push_back(is_offset ? Step{.operand = window_strides[next_window++]}
                                 : Step{.index = batch_strides[next_batch++]});
    }
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    Walk(context, 0, 0, 0, 0);
    return {};
  }

 private:
  struct Start {
    int64_t stride = 0;
    int64_t most = 0;
  };
  // What one step along a dimension of the output moves.
  struct Step {
    int64_t operand = 0;
    int64_t index = 0;
  };

  // Walks dimension d of the output, which has `at` elements before; returns how many are written.
  int64_t Walk(const RunContext& context, size_t d, int64_t at, int64_t operand,
               int64_t index) const {
    if (d == out_.size()) {
      int64_t from = operand;
      for (size_t k = 0; k < starts_.size(); ++k) {
        const int64_t start =
            indices_.At(context, index + static_cast<int64_t>(k) * vector_stride_);
        from += std::clamp<int64_t>(start, 0, starts_[k].most) * starts_[k].stride;
      }
      std::memcpy(context.outputs[0].data() + static_cast<size_t>(at) * elem_bytes_,
                  context.inputs[0].data() + static_cast<size_t>(from) * elem_bytes_, elem_bytes_);
      return at + 1;
    }
    for (int64_t i = 0; i < out_[d]; ++i)
      at = Walk(context, d + 1, at, operand + i * steps_[d].operand, index + i * steps_[d].index);
    return at;
  }

  IndexReader indices_;
  size_t elem_bytes_;
  Shape out_;
  int64_t vector_stride_ = 0;
  std::vector<Start> starts_;
  std::vector<Step> steps_;
};

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  return std::unique_ptr<Kernel>(std::make_unique<GatherKernel>(node, elem_bytes));
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(ShloGather) = {
    .doc = {.formula = "slices of the input at the indices, which are moved so that a slice lies "
                       "inside",
            .source = "TFLite STABLEHLO_GATHER"},
    .signature = "T, int32|int64 -> T; T = bytes8",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
