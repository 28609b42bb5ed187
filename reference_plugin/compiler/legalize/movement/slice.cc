// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// SLICE, STRIDED_SLICE, SPLIT, SPLIT_V, UNPACK: boxes of an operand, at constant places. A stride
// may be negative. SPLIT and its like are a layer for each result.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/movement/move.h"

namespace acme::compiler {
namespace {

// What is taken of one dimension of the operand.
struct Range {
  int64_t begin = 0;
  int64_t stride = 1;
  int64_t extent = 1;
};

// The box as a layer; ranges are outermost first. Their extents are the result's, where it has
// dimensions of 1 or not.
Expected<void> AddSlice(const litert::Tensor& from, const std::vector<int32_t>& x,
                        const std::vector<Range>& ranges, const litert::Tensor& result,
                        NetworkBuilder& builder) {
  MovePiece piece;
  int64_t from_stride = 1;
  int64_t to_stride = 1;
  for (size_t d = x.size(); d-- > 0;) {
    const Range& range = ranges[d];
    const int64_t last = range.begin + (range.extent - 1) * range.stride;
    if (range.extent < 1 || std::min(range.begin, last) < 0 || std::max(range.begin, last) >= x[d])
      return Unsupported("the slice lies outside the operand or is empty");
    piece.from_base_elems += range.begin * from_stride;
    piece.dims.push_back(
        {static_cast<int32_t>(range.extent), range.stride * from_stride, to_stride});
    from_stride *= x[d];
    to_stride *= range.extent;
  }
  ACME_ASSIGN_OR_RETURN(const TensorInfo y, ReadTensor(result));
  if (y.value.Elems() != to_stride)
    return Unsupported(
        fmt::format("the result {} does not fit the slice", ShapeName(y.value.shape)));
  ACME_ASSIGN_OR_RETURN(piece.from, builder.AddTensor(from));
  auto move = std::make_shared<Move>();
  move->pieces = {std::move(piece)};
  return builder.AddLayer(result, std::move(move));
}

std::vector<Range> Whole(const std::vector<int32_t>& x) {
  std::vector<Range> ranges;
  for (int32_t dim : x) ranges.push_back({0, 1, dim});
  return ranges;
}

struct Masks {
  int32_t begin = 0;
  int32_t end = 0;
  int32_t ellipsis = 0;
  int32_t new_axis = 0;
  int32_t shrink = 0;
  bool offset = false;
};

Expected<Masks> ReadMasks(const litert::Op& op) {
  Masks masks;
  const LiteRtOp handle = op.Get();
  if (LiteRtGetStridedSliceBeginMaskOption(handle, &masks.begin) != kLiteRtStatusOk ||
      LiteRtGetStridedSliceEndMaskOption(handle, &masks.end) != kLiteRtStatusOk ||
      LiteRtGetStridedSliceEllipsisMaskOption(handle, &masks.ellipsis) != kLiteRtStatusOk ||
      LiteRtGetStridedSliceNewAxisMaskOption(handle, &masks.new_axis) != kLiteRtStatusOk ||
      LiteRtGetStridedSliceShrinkAxisMaskOption(handle, &masks.shrink) != kLiteRtStatusOk ||
      LiteRtGetStridedSliceOffsetOption(handle, &masks.offset) != kLiteRtStatusOk)
    return Unsupported("the op has no StridedSliceOptions");
  return masks;
}

// Places that begin, end and strides may have; masks have a bit for each.
constexpr size_t kMostPlaces = 16;

bool Has(int32_t mask, size_t bit) { return ((mask >> bit) & 1) != 0; }

// Sums of two, and products with an extent, fit then; no dimension is as large.
constexpr int64_t kFar = int64_t{1} << 31;
int64_t Near(int64_t place) { return std::clamp(place, -kFar, kFar); }

// Place i of begin, end and strides, for a dimension of `size`. Indices below 0 count from the
// end; what lies outside is moved to the edge.
Expected<Range> ResolveRange(const Masks& masks, size_t i, int64_t begin, int64_t end,
                             int64_t stride, int64_t size) {
  if (stride == 0) return Unsupported("a stride is 0");
  const bool forward = stride > 0;
  const int64_t low = forward ? 0 : -1;
  const int64_t high = forward ? size : size - 1;
  const auto edge = [&](int64_t index) {
    return std::clamp(index < 0 ? index + size : index, low, high);
  };
  Range range;
  range.begin = Has(masks.begin, i) ? (forward ? 0 : size - 1) : edge(begin);
  if (Has(masks.shrink, i)) return range;
  range.stride = stride;
  const int64_t stop =
      Has(masks.end, i) ? (forward ? size : -1) : edge(masks.offset ? end + range.begin : end);
  const int64_t span = forward ? stop - range.begin : range.begin - stop;
  range.extent = span <= 0 ? 0 : (span - 1) / std::abs(stride) + 1;
  // Nothing is a stride apart then, and the given one may be larger than the tensor.
  if (range.extent <= 1) range.stride = 1;
  return range;
}

struct Places {
  std::vector<int64_t> begin;
  std::vector<int64_t> end;
  std::vector<int64_t> stride;
};

Expected<std::vector<Range>> ResolveRanges(const Masks& masks, const Places& places,
                                           const std::vector<int32_t>& x) {
  std::vector<Range> ranges;
  const size_t count = places.begin.size();
  // An ellipsis stands for the dimensions that no other place names; a second one for none.
  size_t named = 0;
  for (size_t i = 0; i < count; ++i)
    named += !Has(masks.ellipsis, i) && !Has(masks.new_axis, i) ? 1 : 0;
  const auto whole = [&] {
    const int64_t dim = x[ranges.size()];
    ranges.push_back({0, 1, dim});
  };
  for (size_t i = 0; i < count; ++i) {
    if (Has(masks.ellipsis, i)) {
      for (size_t rest = named; rest < x.size(); ++rest) whole();
      named = x.size();
    } else if (!Has(masks.new_axis, i)) {
      if (ranges.size() >= x.size())
        return Unsupported("there are more places than the operand has dimensions");
      ACME_ASSIGN_OR_RETURN(const Range range,
                            ResolveRange(masks, i, Near(places.begin[i]), Near(places.end[i]),
                                         Near(places.stride[i]), x[ranges.size()]));
      ranges.push_back(range);
    }
  }
  while (ranges.size() < x.size()) whole();
  return ranges;
}

// Cuts the operand along an axis; sizes are those of the results.
Expected<void> AddSplit(const litert::Op& op, size_t x_input, int64_t axis_option, bool keeps_axis,
                        NetworkBuilder& builder) {
  const litert::Tensor from = op.Inputs()[x_input];
  ACME_ASSIGN_OR_RETURN(const TensorInfo x, ReadTensor(from));
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(axis_option, x.value.shape.size()));
  std::vector<Range> ranges = Whole(x.value.shape);
  int64_t at = 0;
  for (const litert::Tensor& result : op.Outputs()) {
    ACME_ASSIGN_OR_RETURN(const TensorInfo y, ReadTensor(result));
    if (!TakesTypes(op.Code(), {x.value.dtype, y.value.dtype, x.value.dtype}))
      return Unsupported("operand and results must have one type of at most 4 bytes");
    if (keeps_axis && y.value.shape.size() != x.value.shape.size())
      return Unsupported("the results must have the operand's rank");
    ranges[axis].begin = at;
    ranges[axis].extent = keeps_axis ? y.value.shape[axis] : 1;
    at += ranges[axis].extent;
    ACME_RETURN_IF_ERROR(AddSlice(from, x.value.shape, ranges, result, builder));
  }
  if (at != x.value.shape[axis]) return Unsupported("the results do not make up the operand");
  return {};
}

}  // namespace

Expected<void> LegalizeSlice(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> begin, ReadIntegers(inputs[1], "the begin"));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> size, ReadIntegers(inputs[2], "the size"));
  const std::vector<int32_t>& x = operands.x.value.shape;
  if (begin.size() != x.size() || size.size() != x.size())
    return Unsupported("begin and size do not fit the operand's dimensions");
  std::vector<Range> ranges;
  for (size_t d = 0; d < x.size(); ++d) {
    if (begin[d] < 0 || begin[d] > x[d] || size[d] > x[d])
      return Unsupported("the slice lies outside the operand");
    ranges.push_back({begin[d], 1, size[d] < 0 ? x[d] - begin[d] : size[d]});
  }
  return AddSlice(inputs[0], x, ranges, op.Outputs()[0], builder);
}

Expected<void> LegalizeStridedSlice(const litert::Op& op, const Hardware&,
                                    NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const Masks masks, ReadMasks(op));
  Places places;
  ACME_ASSIGN_OR_RETURN(places.begin, ReadIntegers(inputs[1], "the begin"));
  ACME_ASSIGN_OR_RETURN(places.end, ReadIntegers(inputs[2], "the end"));
  ACME_ASSIGN_OR_RETURN(places.stride, ReadIntegers(inputs[3], "the list of strides"));
  if (places.end.size() != places.begin.size() || places.stride.size() != places.begin.size())
    return Unsupported("begin, end and strides must have one length");
  if (places.begin.size() > kMostPlaces) return Unsupported("there are more than 16 places");
  const std::vector<int32_t>& x = operands.x.value.shape;
  ACME_ASSIGN_OR_RETURN(const std::vector<Range> ranges, ResolveRanges(masks, places, x));
  return AddSlice(inputs[0], x, ranges, op.Outputs()[0], builder);
}

Expected<void> LegalizeSplit(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  if (inputs.size() != 2) return Unsupported("it must have two inputs");
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, ReadIntegers(inputs[0], "the axis"));
  if (axis.size() != 1) return Unsupported("the axis must be one number");
  return AddSplit(op, 1, axis[0], /*keeps_axis=*/true, builder);
}

Expected<void> LegalizeSplitV(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  if (inputs.size() != 3) return Unsupported("it must have three inputs");
  ACME_RETURN_IF_ERROR(ReadIntegers(inputs[1], "the list of sizes"));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axis, ReadIntegers(inputs[2], "the axis"));
  if (axis.size() != 1) return Unsupported("the axis must be one number");
  return AddSplit(op, 0, axis[0], /*keeps_axis=*/true, builder);
}

Expected<void> LegalizeUnpack(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  int32_t axis = 0;
  if (LiteRtGetUnpackAxisOption(op.Get(), &axis) != kLiteRtStatusOk)
    return Unsupported("the op has no UnpackOptions");
  if (op.Inputs().size() != 1) return Unsupported("it must have one input");
  return AddSplit(op, 0, axis, /*keeps_axis=*/false, builder);
}

}  // namespace acme::compiler
