// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ARG_MAX and ARG_MIN: the lowest of the places at which the extreme value stands. Stored values are
// compared.

#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"

namespace acme::compiler {
namespace {

// Numbers that can't be compared never win, but for the first, which nothing beats: they become what
// loses against all, or wins.
ValueId OrderNumbers(ValueId x, const Steps::Shape& shape, bool max, Steps& steps) {
  const float loses =
      max ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  std::vector<float> in_place(static_cast<size_t>(shape[0]), loses);
  in_place[0] = -loses;
  const ValueId others = steps.Numbers(Dtype::kF32, shape, in_place);
  return steps.Select(steps.Compare(CompareOp::kEqual, x, x), x, others);
}

// The places [0, along) of the smallest type that has one more, and that one.
struct Places {
  Dtype dtype = Dtype::kI32;
  ValueId all = kNoValue;
  ValueId none = kNoValue;
};

template <class T>
Places PlacesOf(Dtype dtype, const Steps::Shape& shape, Steps& steps) {
  std::vector<T> places(static_cast<size_t>(shape[0]));
  std::iota(places.begin(), places.end(), T{0});
  return {dtype, steps.Numbers(dtype, shape, places),
          steps.Numbers<T>(dtype, {1}, {std::numeric_limits<T>::max()})};
}

// `shape`: of the constants beside the operand, along the axis at first.
Places PlacesOf(const Steps::Shape& shape, Steps& steps) {
  if (shape[0] <= std::numeric_limits<uint8_t>::max())
    return PlacesOf<uint8_t>(Dtype::kU8, shape, steps);
  if (shape[0] <= std::numeric_limits<int16_t>::max())
    return PlacesOf<int16_t>(Dtype::kI16, shape, steps);
  return PlacesOf<int32_t>(Dtype::kI32, shape, steps);
}

// [outer, along, inner]
ValueId Around(ValueId given, size_t axis, Steps& steps) {
  const Value x = steps.value(given);
  const auto product = [&](size_t begin, size_t end) {
    return std::accumulate(x.shape.begin() + static_cast<ptrdiff_t>(begin),
                           x.shape.begin() + static_cast<ptrdiff_t>(end), 1, std::multiplies<>());
  };
  const Steps::Shape around = {product(0, axis), x.shape[axis], product(axis + 1, x.shape.size())};
  MovePiece all{.from = given, .dims = {{product(0, x.shape.size()), 1, 1}}};
  return steps.Rearrange({all}, x.dtype, around);
}

}  // namespace

Expected<void> LegalizeArgExtreme(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ReadIntegers(op.Inputs()[1], "the axis"));
  if (axes.size() != 1) return Unsupported("the axis must be one number");
  const std::vector<int32_t>& shape = operands.x.value.shape;
  ACME_ASSIGN_OR_RETURN(const size_t axis, ResolveAxis(axes[0], shape.size()));
  const int32_t along = shape[axis];
  if (operands.x.value.Elems() != operands.y.value.Elems() * along)
    return Unsupported("the result's size does not fit the axis");
  if (operands.x.value.Elems() > std::numeric_limits<int32_t>::max() / 4)
    return Unsupported("the operand has more than 2^29 elements");
  ACME_ASSIGN_OR_RETURN(const ValueId given, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId y, builder.AddTensor(op.Outputs()[0]));
  const bool max = op.Code() == kLiteRtOpCodeTflArgMax;
  Steps steps(operands.y.value.name, builder);
  // Channels of images stay where they are, so that rows can be computed apart; else it becomes
  // [outer, along, inner].
  const bool channels = shape.size() == 4 && axis + 1 == shape.size();
  const Steps::Shape beside = channels ? Steps::Shape{along} : Steps::Shape{along, 1};
  const size_t place = channels ? axis : 1;
  ValueId x = channels ? given : Around(given, axis, steps);
  if (operands.x.value.dtype == Dtype::kF32) x = OrderNumbers(x, beside, max, steps);
  const ValueId best = steps.Reduce(max ? ReduceOp::kMax : ReduceOp::kMin, x, place);
  const Places places = PlacesOf(beside, steps);
  const ValueId at =
      steps.Select(steps.Compare(CompareOp::kEqual, x, best), places.all, places.none);
  const bool done = places.dtype == operands.y.value.dtype;
  const ValueId first = steps.Reduce(ReduceOp::kMin, at, place, done ? y : kNoValue);
  if (!done) steps.Widen(first, operands.y.value.dtype, y);
  return {};
}

}  // namespace acme::compiler
