// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/element_types.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/reduction/combination.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/kernels/stablehlo/region_kernels.h"

namespace npukit::kernels {
namespace {

constexpr size_t kMostDims = 8;
using Starts = std::array<int64_t, kMostDims>;  // of a window, in the dilated tensor

struct Dim {
  int64_t in = 0;
  int64_t in_stride = 0;  // in elements
  int64_t base_dilation = 1;
  int64_t padding = 0;  // before the first element; negative: so many are cut
  int64_t out = 0;
  int64_t stride = 1;
  int64_t window = 1;
  int64_t dilation = 1;
};

// The value at a dimension, `otherwise` for all if there are none.
litert::Expected<int64_t> ValueAt(const Node& node, const std::vector<int64_t>& values, size_t at,
                                  int64_t otherwise, int64_t least) {
  if (values.empty()) return otherwise;
  if (at >= values.size()) return InvalidNode(node, "has too few windows, strides or padding");
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (values[at] < least || values[at] > kMost)
    return InvalidNode(node, "has windows, strides, dilations or padding out of range");
  return values[at];
}

litert::Expected<std::vector<Dim>> DimsOf(const Node& node, const Operand& in,
                                          const StablehloReduceWindowOptions& options) {
  constexpr int64_t kLowest = -int64_t{std::numeric_limits<int32_t>::max()};
  const std::vector<int64_t> strides = StridesOf(in.shape);
  std::vector<Dim> dims(in.shape.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    Dim& dim = dims[d];
    dim.in = in.shape[d];
    dim.in_stride = strides[d];
    LITERT_ASSIGN_OR_RETURN(dim.base_dilation, ValueAt(node, options.base_dilations, d, 1, 1));
    LITERT_ASSIGN_OR_RETURN(dim.stride, ValueAt(node, options.window_strides, d, 1, 1));
    LITERT_ASSIGN_OR_RETURN(dim.window, ValueAt(node, options.window_dimensions, d, 1, 1));
    LITERT_ASSIGN_OR_RETURN(dim.dilation, ValueAt(node, options.window_dilations, d, 1, 1));
    LITERT_ASSIGN_OR_RETURN(dim.padding, ValueAt(node, options.padding, 2 * d, 0, kLowest));
    LITERT_ASSIGN_OR_RETURN(const int64_t after,
                            ValueAt(node, options.padding, 2 * d + 1, 0, kLowest));
    const int64_t base = dim.in == 0 ? 0 : (dim.in - 1) * dim.base_dilation + 1;
    const int64_t padded = dim.padding + base + after;
    if (padded <= 0) return InvalidNode(node, "has padding that leaves nothing");
    const int64_t reach = (dim.window - 1) * dim.dilation + 1;
    dim.out = padded < reach ? 0 : (padded - reach) / dim.stride + 1;
  }
  return dims;
}

template <typename T>
class ReduceWindowKernel final : public Kernel {
 public:
  ReduceWindowKernel(std::vector<Dim> dims, ReduceWindowFunction function)
      : dims_(std::move(dims)), function_(function) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    Starts starts = {};
    T* out = DataOf<T>(context.outputs[0]);
    WalkWindows(0, DataOf<T>(context.inputs[0]), *DataOf<T>(context.inputs[1]), starts, out);
    return {};
  }

 private:
  void WalkWindows(size_t d, const T* in, T first, Starts& starts, T*& out) const {
    if (d == dims_.size()) {
      T sum = first;
      WalkElems(0, in, first, starts, sum);
      *out++ = sum;
      return;
    }
    for (int64_t i = 0; i < dims_[d].out; ++i) {
      starts[d] = i * dims_[d].stride - dims_[d].padding;
      WalkWindows(d + 1, in, first, starts, out);
    }
  }
  // `in` is null where a dimension before stands beside the elements.
  void WalkElems(size_t d, const T* in, T first, const Starts& starts, T& sum) const {
    if (d == dims_.size()) {
      sum = Combine(function_, sum, in == nullptr ? first : *in);
      return;
    }
    const Dim& dim = dims_[d];
    for (int64_t w = 0; w < dim.window; ++w) {
      const int64_t at = starts[d] + w * dim.dilation;
      const bool is_elem = in != nullptr && at >= 0 && at % dim.base_dilation == 0 &&
                           at / dim.base_dilation < dim.in;
      WalkElems(d + 1, is_elem ? in + at / dim.base_dilation * dim.in_stride : nullptr, first,
                starts, sum);
    }
  }

  std::vector<Dim> dims_;
  ReduceWindowFunction function_;
};

}  // namespace

litert::Expected<RegionKernel> PlanStablehloReduceWindow(const Node& node,
                                                         ReduceWindowFunction function) {
  const auto* options = node.op->OptionsAs<StablehloReduceWindowOptions>();
  if (options == nullptr) return InvalidNode(node, "has no options");
  const Operand* in = node.input(0);
  const Operand* first = node.input(1);
  if (node.inputs.size() != 2 || node.outputs.size() != 1 || in == nullptr || first == nullptr)
    return UnsupportedNode(node, "reduces other than one tensor with one first value");
  LITERT_RETURN_IF_ERROR(
      CheckType(node, *in,
                {kLiteRtElementTypeFloat32, kLiteRtElementTypeFloat64, kLiteRtElementTypeInt8,
                 kLiteRtElementTypeUInt8, kLiteRtElementTypeInt16, kLiteRtElementTypeInt32,
                 kLiteRtElementTypeInt64, kLiteRtElementTypeBool}));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *in, *first));
  LITERT_RETURN_IF_ERROR(CheckSameType(node, *in, *node.outputs[0]));
  if (in->shape.empty()) return InvalidNode(node, in, "must have at least one dimension");
  if (in->shape.size() > kMostDims) return UnsupportedNode(node, in, "has more than 8 dimensions");
  if (first->elems() != 1) return InvalidNode(node, first, "must have one element");
  LITERT_ASSIGN_OR_RETURN(std::vector<Dim> dims, DimsOf(node, *in, *options));
  std::vector<int64_t> wide;
  for (const Dim& dim : dims) wide.push_back(dim.out);
  RegionKernel made;
  LITERT_ASSIGN_OR_RETURN(made.shape, NarrowShape(node, wide));
  made.kernel = WithElementType<float, double, int8_t, uint8_t, int16_t, int32_t, int64_t, bool>(
      in->type(), [&]<typename T>(T /*type*/) -> std::unique_ptr<Kernel> {
        return std::make_unique<ReduceWindowKernel<T>>(std::move(dims), function);
      });
  return made;
}

}  // namespace npukit::kernels
