// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/indexing/index_reader.h"
#include "sdk/host/kernels/indexing/named_dims.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/reduction/combination.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/stablehlo/region_kernels.h"

namespace npukit::kernels {
namespace {

constexpr size_t kMostDims = 8;

// Where an update goes: what the index vector of its scatter dimensions says, plus its place in the
// window.
struct Plan {
  struct UpdateDim {
    int64_t size = 0;
    int64_t index_stride = 0;  // of a scatter dimension, in the indices
    int operand_dim = -1;      // of a window dimension
  };
  std::vector<UpdateDim> update;  // in the order of the updates' dimensions
  std::vector<int> index_dims;    // the operand's dimensions that an index vector names
  int64_t vector_stride = 0;
  Shape operand;
  std::vector<int64_t> operand_strides;
  int64_t updates = 0;
  int64_t elem_bytes = 0;
};

litert::Expected<Plan> PlanOf(const Node& node, const StablehloScatterOptions& options) {
  Plan plan;
  plan.operand = node.inputs[0]->shape;
  plan.operand_strides = StridesOf(plan.operand);
  const Shape& indices = node.inputs[1]->shape;
  const Shape& updates = node.inputs[2]->shape;
  if (std::max(plan.operand.size(), updates.size()) > kMostDims)
    return UnsupportedNode(node, "has more than 8 dimensions");
  const int64_t depth = options.index_vector_dim;
  if (depth < 0 || depth > static_cast<int64_t>(indices.size()))
    return InvalidNode(node, node.inputs[1], "has no dimension of index vectors");
  LITERT_ASSIGN_OR_RETURN(
      plan.index_dims, DimsNamed(node, options.scatter_dims_to_operand_dims, plan.operand.size()));
  LITERT_RETURN_IF_ERROR(DimsNamed(node, options.inserted_window_dims, plan.operand.size()));
  LITERT_ASSIGN_OR_RETURN(const auto window_dims,
                          DimsNamed(node, options.update_window_dims, updates.size()));
  const std::vector<int64_t> index_strides = StridesOf(indices);
  const bool has_vectors = depth < static_cast<int64_t>(indices.size());
  plan.vector_stride = has_vectors ? index_strides[static_cast<size_t>(depth)] : 0;
  const int64_t vector = has_vectors ? indices[static_cast<size_t>(depth)] : 1;
  if (vector != static_cast<int64_t>(plan.index_dims.size()))
    return InvalidNode(node, node.inputs[1], "must have an index for each mapped dimension");
  plan.update.resize(updates.size());
  size_t next_window = 0;
  for (size_t d = 0; d < plan.operand.size(); ++d) {
    if (Holds(options.inserted_window_dims, d)) continue;
    if (next_window == window_dims.size())
      return InvalidNode(node, "has too few window dimensions");
    plan.update[static_cast<size_t>(window_dims[next_window++])].operand_dim = static_cast<int>(d);
  }
  if (next_window != window_dims.size()) return InvalidNode(node, "has too many window dimensions");
  size_t next_index = 0;
  for (size_t d = 0; d < updates.size(); ++d) {
    plan.update[d].size = updates[d];
    if (plan.update[d].operand_dim >= 0) continue;
    next_index += static_cast<int64_t>(next_index) == depth;
    if (next_index >= indices.size() || indices[next_index] != updates[d])
      return InvalidNode(node, node.inputs[2], "has scatter dimensions other than the indices'");
    plan.update[d].index_stride = index_strides[next_index++];
  }
  next_index += static_cast<int64_t>(next_index) == depth;
  if (next_index < indices.size())
    return InvalidNode(node, node.inputs[2], "has fewer scatter dimensions than the indices");
  plan.updates = ElemsOf(updates);
  plan.elem_bytes = ElementBits(node.inputs[0]->type()) / 8;
  return plan;
}

class ScatterKernel final : public Kernel {
 public:
  using CombineBytes = void (*)(ReduceWindowFunction function, uint8_t* at, const uint8_t* update);

  // `combine` null: replaces.
  ScatterKernel(const Node& node, Plan plan, ReduceWindowFunction function, CombineBytes combine)
      : indices_(node, 1), plan_(std::move(plan)), function_(function), combine_(combine) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const std::span<uint8_t> out = context.outputs[0];
    if (!out.empty()) std::memmove(out.data(), context.inputs[0].data(), out.size());
    for (int64_t u = 0; u < plan_.updates; ++u) {
      const int64_t at = PlaceOf(context, u);
      if (at < 0) continue;
      uint8_t* to = out.data() + at * plan_.elem_bytes;
      const uint8_t* update = context.inputs[2].data() + u * plan_.elem_bytes;
      if (combine_ == nullptr) {
        std::memcpy(to, update, static_cast<size_t>(plan_.elem_bytes));
      } else {
        combine_(function_, to, update);
      }
    }
    return {};
  }

 private:
  // The element that update u goes to; -1 if it lies outside.
  int64_t PlaceOf(const RunContext& context, int64_t u) const {
    std::array<int64_t, kMostDims> place = {};
    int64_t index = 0;
    for (size_t d = plan_.update.size(); d-- > 0;) {
      const Plan::UpdateDim& dim = plan_.update[d];
      const int64_t coordinate = u % dim.size;
      u /= dim.size;
      index += coordinate * dim.index_stride;
      if (dim.operand_dim >= 0) place[static_cast<size_t>(dim.operand_dim)] = coordinate;
    }
    int64_t at = 0;
    for (size_t k = 0; k < plan_.index_dims.size(); ++k) {
      const auto dim = static_cast<size_t>(plan_.index_dims[k]);
      const int64_t start =
          indices_.At(context, index + static_cast<int64_t>(k) * plan_.vector_stride);
      // Before it is added, which might overflow: the data may hold any int64.
      if (start >= plan_.operand[dim] || start < -plan_.operand[dim]) return -1;
      place[dim] += start;
    }
    for (size_t d = 0; d < plan_.operand.size(); ++d) {
      if (place[d] < 0 || place[d] >= plan_.operand[d]) return -1;
      at += place[d] * plan_.operand_strides[d];
    }
    return at;
  }

  IndexReader indices_;
  Plan plan_;
  ReduceWindowFunction function_;
  CombineBytes combine_;
};

// As std::max and std::min: the element stays where one of the two is NaN.
template <typename T>
T Combined(ReduceWindowFunction function, T a, T b) {
  if (function == ReduceWindowFunction::kMaximum) return a < b ? b : a;
  if (function == ReduceWindowFunction::kMinimum) return b < a ? b : a;
  return Combine(function, a, b);
}
Float16 Combined(ReduceWindowFunction function, Float16 a, Float16 b) {
  return Float16::Of(Combined<float>(function, a, b));
}

template <typename T>
void CombineAt(ReduceWindowFunction function, uint8_t* at, const uint8_t* update) {
  T a;
  T b;
  std::memcpy(&a, at, sizeof(a));
  std::memcpy(&b, update, sizeof(b));
  a = Combined(function, a, b);
  std::memcpy(at, &a, sizeof(a));
}

}  // namespace

litert::Expected<RegionKernel> PlanStablehloScatter(const Node& node,
                                                    std::optional<ReduceWindowFunction> function) {
  const auto* options = node.op->OptionsAs<StablehloScatterOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  if (node.inputs.size() != 3 || node.outputs.size() != 1)
    return UnsupportedNode(node, "scatters into other than one tensor");
  for (const Operand* input : node.inputs) {
    if (input == nullptr) return InvalidNode(node, "lacks an input");
  }
  const Operand& in = *node.inputs[0];
  LITERT_RETURN_IF_ERROR(
      CheckType(node, in,
                {kLiteRtElementTypeFloat16, kLiteRtElementTypeFloat32, kLiteRtElementTypeFloat64,
                 kLiteRtElementTypeInt8, kLiteRtElementTypeUInt8, kLiteRtElementTypeInt16,
                 kLiteRtElementTypeUInt16, kLiteRtElementTypeInt32, kLiteRtElementTypeUInt32,
                 kLiteRtElementTypeInt64, kLiteRtElementTypeUInt64, kLiteRtElementTypeBool}));
  LITERT_RETURN_IF_ERROR(
      CheckType(node, *node.inputs[1], {kLiteRtElementTypeInt32, kLiteRtElementTypeInt64}));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, in, *node.inputs[2]));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, in, *node.outputs[0]));
  LITERT_ASSIGN_OR_RETURN(Plan plan, PlanOf(node, *options));
  ScatterKernel::CombineBytes combine = nullptr;
  if (function.has_value()) {
    combine = WithElementType<Float16, float, double, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                              uint32_t, int64_t, uint64_t, bool>(
        in.type(),
        []<typename T>(T /*type*/) -> ScatterKernel::CombineBytes { return CombineAt<T>; });
  }
  RegionKernel made;
  made.shape = in.shape;
  made.kernel = std::make_unique<ScatterKernel>(
      node, std::move(plan), function.value_or(ReduceWindowFunction::kUnsupported), combine);
  return made;
}

}  // namespace npukit::kernels
