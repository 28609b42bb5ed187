// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// ARG_MAX and ARG_MIN: the lowest of the places at which the extreme value stands. Stored values are
// compared.
//
//   x: [outer, along, inner] -> reduce (max, place) -> y
//   too long for a step: x -> reduce (max) -> x == it ? 0 1 2 .. : many -> reduce (min) -> widen -> y

#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/lower/lowering.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

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

// Where a step can't hold all that goes into a result: the extreme is looked for in parts, and then
// the first place that holds it.
ValueId PlaceInParts(ReduceOp extreme, ValueId x, size_t axis, const Steps::Shape& beside,
                     Steps& steps) {
  if (steps.value(x).dtype == Dtype::kF32)
    x = OrderNumbers(x, beside, extreme == ReduceOp::kMax, steps);
  const ValueId best = steps.Reduce(extreme, x, axis);
  const Places places = PlacesOf(beside, steps);
  const ValueId at =
      steps.Select(steps.Compare(CompareOp::kEqual, x, best), places.all, places.none);
  return steps.Reduce(ReduceOp::kMin, at, axis);
}

// Whether a step holds all elements that go into one result, and it.
bool FitsStep(const Value& x, int32_t along, const Hardware& hardware) {
  return Reduce::StepBytesOfOne(along, x.dtype, Dtype::kI32) <= GuaranteedStepBytes(hardware);
}

}  // namespace

Expected<void> LegalizeArgExtreme(const litert::Op& op, const Hardware& hardware,
                                  NetworkBuilder& builder) {
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
  const ReduceOp extreme = op.Code() == kLiteRtOpCodeTflArgMax ? ReduceOp::kMax : ReduceOp::kMin;
  Steps steps(operands.y.value.name, builder);
  // Channels of images stay where they are, so that rows can be computed apart; else it becomes
  // [outer, along, inner].
  const bool channels = shape.size() == 4 && axis + 1 == shape.size();
  const Steps::Shape beside = channels ? Steps::Shape{along} : Steps::Shape{along, 1};
  const size_t place = channels ? axis : 1;
  const ValueId x = channels ? given : Around(given, axis, steps);
  if (!FitsStep(operands.x.value, along, hardware)) {
    steps.Widen(PlaceInParts(extreme, x, place, beside, steps), operands.y.value.dtype, y);
    return {};
  }
  const bool done = operands.y.value.dtype == Dtype::kI32;
  const ValueId first = steps.PlaceOf(extreme, x, place, done ? y : kNoValue);
  if (!done) steps.Widen(first, operands.y.value.dtype, y);
  return {};
}

}  // namespace acme::compiler
