// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sdk/host/kernels/broadcast.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// One dimension of the input as the op reads it; new dimensions are 1 wide.
struct Axis {
  int64_t size = 1;
  int64_t begin = 0;
  int64_t step = 1;
  int64_t extent = 1;
  bool is_new = false;
  bool shrinks = false;  // does not appear in the output
};

// What stands at one place of begin, end and strides.
struct Spec {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t stride = 1;
  bool from_first = false;  // begin is masked
  bool to_last = false;     // end is masked
  bool shrinks = false;
  bool offset = false;  // end counts from begin
};

// Sums of two, and products with a dimension, fit then; no dimension is as large.
int64_t Near(int64_t index) {
  constexpr int64_t kFar = int64_t{1} << 31;
  return std::clamp(index, -kFar, kFar);
}

// Indices below 0 count from the end; what lies outside is moved to the edge.
litert::Expected<Axis> Resolve(const Node& node, const Spec& spec, int64_t size, size_t dim) {
  const std::string where = fmt::format(" in dimension {}", dim);
  if (spec.stride == 0) return InvalidNode(node, node.inputs[3], "holds a stride of 0" + where);
  const bool forward = spec.stride > 0;
  const int64_t low = forward ? 0 : -1;
  const int64_t high = forward ? size : size - 1;
  auto edge = [&](int64_t index) {
    return std::clamp(index < 0 ? index + size : index, low, high);
  };
  Axis axis{.size = size, .step = spec.stride};
  axis.begin = spec.from_first ? (forward ? 0 : size - 1) : edge(spec.begin);
  if (spec.shrinks) {
    if (!forward) return InvalidNode(node, node.inputs[3], "is negative for one index" + where);
    if (axis.begin >= size) {
      return InvalidNode(node, node.inputs[1],
                         fmt::format("holds the index {}{}, outside {}", spec.begin, where,
                                     OperandName(node.inputs[0])));
    }
    axis.shrinks = true;
    axis.step = 1;
    return axis;
  }
  const int64_t wanted = spec.offset ? spec.end + axis.begin : spec.end;
  const int64_t end = spec.to_last ? (forward ? size : -1) : edge(wanted);
  const int64_t span = forward ? end - axis.begin : axis.begin - end;
  const int64_t stride = forward ? spec.stride : -spec.stride;
  axis.extent = span <= 0 ? 0 : (span - 1) / stride + 1;
  if (axis.extent <= 1) axis.step = 1;
  return axis;
}

// Takes dimensions off the input one after the other.
class AxesReader {
 public:
  AxesReader(const Node& node, const StridedSliceOptions& options)
      : node_(node), options_(options), shape_(node.inputs[0]->shape) {}

  litert::Expected<std::vector<Axis>> Read() {
    LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> begin,
                            IntegerValues(node_, *node_.inputs[1]));
    LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> end, IntegerValues(node_, *node_.inputs[2]));
    LITERT_ASSIGN_OR_RETURN(const std::vector<int64_t> step,
                            IntegerValues(node_, *node_.inputs[3]));
    int64_t named = 0;  // dimensions of the input that begin and end speak of
    for (size_t i = 0; i < begin.size(); ++i)
      named += !Has(options_.ellipsis_mask, i) && !Has(options_.new_axis_mask, i);
    bool seen_ellipsis = false;
    for (size_t i = 0; i < begin.size(); ++i) {
      if (Has(options_.ellipsis_mask, i)) {
        if (seen_ellipsis) return InvalidNode(node_, "has two ellipses");
        seen_ellipsis = true;
        for (int64_t rest = Rank() - named; rest > 0; --rest) TakeWhole();
      } else if (Has(options_.new_axis_mask, i)) {
        axes_.push_back({.is_new = true});
      } else {
        if (next_ >= shape_.size()) {
          if (IsLastKind(i, begin.size())) break;
          return InvalidNode(node_, node_.inputs[1],
                             "has more elements than the input has dimensions");
        }
        const Spec spec{.begin = Near(begin[i]),
                        .end = Near(end[i]),
                        .stride = Near(step[i]),
                        .from_first = Has(options_.begin_mask, i),
                        .to_last = Has(options_.end_mask, i),
                        .shrinks = Has(options_.shrink_axis_mask, i),
                        .offset = options_.offset};
        LITERT_ASSIGN_OR_RETURN(const Axis axis, Resolve(node_, spec, shape_[next_], next_));
        axes_.push_back(axis);
        ++next_;
      }
    }
    while (next_ < shape_.size()) TakeWhole();
    if (axes_.size() > kMaxRank) return InvalidNode(node_, "gives more than 8 dimensions");
    return axes_;
  }

 private:
  static bool Has(int32_t mask, size_t bit) { return ((mask >> bit) & 1) != 0; }
  // Whether only ranges follow: TFLite passes over those for which there is no dimension.
  bool IsLastKind(size_t place, size_t places) const {
    for (; place < places; ++place) {
      if (Has(options_.ellipsis_mask, place) || Has(options_.new_axis_mask, place)) return false;
    }
    return options_.ellipsis_mask == 0;
  }
  int64_t Rank() const { return static_cast<int64_t>(shape_.size()); }
  void TakeWhole() {
    axes_.push_back({.size = shape_[next_], .extent = shape_[next_]});
    ++next_;
  }

  const Node& node_;
  const StridedSliceOptions& options_;
  const Shape& shape_;
  std::vector<Axis> axes_;
  size_t next_ = 0;  // dimension of the input
};

litert::Expected<std::vector<Axis>> AxesOf(const Node& node) {
  static const auto* const kDefault = new StridedSliceOptions;
  const auto* options = node.op->OptionsAs<StridedSliceOptions>();
  return AxesReader(node, options == nullptr ? *kDefault : *options).Read();
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& begin = *node.inputs[1];
  for (size_t i : {1, 2, 3}) {
    const Operand& operand = *node.inputs[i];
    if (operand.shape.size() != 1 || operand.elems() > 16)
      return InvalidNode(node, &operand, "must be a vector of at most 16 elements");
    if (operand.elems() != begin.elems())
      return InvalidNode(node, &operand, "must be as long as " + OperandName(&begin));
    if (IsUnknown(operand)) return Inferred::NeedsValueOf(i);
  }
  LITERT_ASSIGN_OR_RETURN(const std::vector<Axis> axes, AxesOf(node));
  std::vector<int64_t> dims;
  for (const Axis& axis : axes) {
    if (!axis.shrinks) dims.push_back(axis.extent);
  }
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<Axis> axes, AxesOf(node));
  const std::vector<int64_t> in = StridesOf(node.inputs[0]->shape);
  const std::vector<int64_t> out = StridesOf(node.outputs[0]->shape);
  StridedCopy copy;
  size_t from = 0;
  size_t to = 0;
  for (const Axis& axis : axes) {
    StridedCopy::Dim dim{.extent = axis.extent};
    if (!axis.shrinks) dim.out_stride = out[to++];
    if (!axis.is_new) {
      copy.in_offset += axis.begin * in[from];
      dim.in_stride = axis.step * in[from++];
    }
    copy.dims.push_back(dim);
  }
  return MakeCopies({copy}, elem_bytes);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(StridedSlice) = {
    .doc = {.formula = "elements begin, begin + stride, ... before end of each dimension; masks: "
                       "whole ranges, an ellipsis, new dimensions, dimensions that go",
            .source = "TFLite STRIDED_SLICE, reference kernels"},
    .signature = "T, int32|int64, int32|int64, int32|int64 -> T; T = bytes",
    .infer = Infer,
    .prepare = PrepareMovement<Make>,
    .oracle = OracleByMoving<Make, InputMask{1}>,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
