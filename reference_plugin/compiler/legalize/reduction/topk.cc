// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// TOPK_V2: the largest elements of each row, in order, the earlier of equals first, and their places. One is
// found after the other; what was found is left out from then on.
//
//   x, free -> select (x, or the least there is) -> reduce (max) ----------------------> value
//                    x == value and free ? 0 1 2 .. : many -> reduce (min) -> place
//                                               free and not there -> free, for the next one

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/legalize/steps.h"
#include "reference_plugin/compiler/legalize/support.h"

namespace acme::compiler {
namespace {

// Each takes up to eight passes over all elements.
constexpr int64_t kMostFound = 32;

// What no element is below.
ValueId Least(Dtype dtype, Steps& steps) {
  const int32_t least = dtype == Dtype::kF32
                            ? std::bit_cast<int32_t>(-std::numeric_limits<float>::infinity())
                            : TypeRange(dtype).lo;
  std::vector<uint8_t> bytes(SizeBytes(dtype));
  std::memcpy(bytes.data(), &least, bytes.size());
  return steps.Numbers(dtype, {1}, bytes);
}

// Of [rows, elements].
class Search {
 public:
  Search(ValueId x, Steps& steps) : steps_(steps), x_(x), least_(Least(Type(x), steps)) {
    // A NaN comes behind all numbers.
    if (Type(x) == Dtype::kF32)
      x_ = steps.Select(steps.Compare(CompareOp::kEqual, x, x), x, least_);
    std::vector<int32_t> all(static_cast<size_t>(steps.value(x).shape[1]));
    std::iota(all.begin(), all.end(), 0);
    all_places_ = steps.Numbers(Dtype::kI32, {static_cast<int32_t>(all.size())}, all);
    no_place_ = steps.Numbers<int32_t>(Dtype::kI32, {1}, {std::numeric_limits<int32_t>::max()});
  }

  struct Found {
    ValueId value = kNoValue;  // [rows, 1]
    ValueId place = kNoValue;  // [rows, 1] of i32
  };
  Found Next() {
    const bool first = free_ == kNoValue;
    const ValueId value =
        steps_.Reduce(ReduceOp::kMax, first ? x_ : steps_.Select(free_, x_, least_), kAlong);
    ValueId is_it = steps_.Compare(CompareOp::kEqual, x_, value);
    if (!first) is_it = Both(is_it, free_);
    const ValueId place =
        steps_.Reduce(ReduceOp::kMin, steps_.Select(is_it, all_places_, no_place_), kAlong);
    const ValueId others = steps_.Compare(CompareOp::kNotEqual, all_places_, place);
    free_ = first ? others : Both(free_, others);
    return {value, place};
  }

 private:
  static constexpr size_t kAlong = 1;

  Dtype Type(ValueId id) const { return steps_.value(id).dtype; }
  ValueId Both(ValueId a, ValueId b) { return steps_.Both(BinaryOp::kMin, a, b); }

  Steps& steps_;
  ValueId x_;
  ValueId least_;
  ValueId all_places_ = kNoValue;
  ValueId no_place_ = kNoValue;
  ValueId free_ = kNoValue;  // bool: what was not found yet; none: nothing was
};

// Columns side by side: [rows, columns].
void Join(const std::vector<ValueId>& columns, ValueId into, Steps& steps) {
  const Value first = steps.value(columns.front());
  const auto count = static_cast<int32_t>(columns.size());
  const int32_t rows = first.shape[0];
  std::vector<MovePiece> pieces;
  for (int32_t column = 0; column < count; ++column)
    pieces.push_back({.from = columns[static_cast<size_t>(column)],
                      .to_base_elems = column,
                      .dims = {{rows, 1, count}}});
  steps.Rearrange(std::move(pieces), first.dtype, {rows, count}, into);
}

struct TopK {
  TensorInfo x;
  int64_t rows = 1;
  int32_t count = 1;  // of each row
};

Expected<TopK> ReadTopK(const litert::Op& op) {
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.size() != 2 || outputs.size() != 2)
    return Unsupported("it must have two inputs and two outputs");
  TopK topk;
  ACME_ASSIGN_OR_RETURN(topk.x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(const TensorInfo values, ReadTensor(outputs[0]));
  ACME_ASSIGN_OR_RETURN(const TensorInfo places, ReadTensor(outputs[1]));
  const Dtype dtype = topk.x.value.dtype;
  if (!TakesTypes(op.Code(), {dtype, values.value.dtype, dtype}) ||
      places.value.dtype != Dtype::kI32) {
    return Unsupported(fmt::format("{} and places of {} of {} are not supported",
                                   DtypeName(values.value.dtype), DtypeName(places.value.dtype),
                                   DtypeName(dtype)));
  }
  ACME_ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                        ReadIntegers(inputs[1], "the number of elements"));
  const std::vector<int32_t>& shape = topk.x.value.shape;
  if (counts.size() != 1 || shape.empty() || counts[0] < 1 || counts[0] > shape.back())
    return Unsupported("the number of elements must be at least 1 and at most a row's");
  if (counts[0] > kMostFound)
    return Unsupported(
        fmt::format("more than {} elements of a row are not looked for", kMostFound));
  topk.count = static_cast<int32_t>(counts[0]);
  topk.rows = topk.x.value.Elems() / shape.back();
  const int64_t elems = topk.rows * topk.count;
  if (values.value.Elems() != elems || places.value.Elems() != elems)
    return Unsupported("the results' sizes do not fit the number of elements");
  if (topk.x.value.Elems() > std::numeric_limits<int32_t>::max() / 4)
    return Unsupported("the operand has more than 2^29 elements");
  return topk;
}

}  // namespace

Expected<void> LegalizeTopK(const litert::Op& op, const Hardware&, NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const TopK topk, ReadTopK(op));
  ACME_ASSIGN_OR_RETURN(const ValueId given, builder.AddTensor(op.Inputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId values, builder.AddTensor(op.Outputs()[0]));
  ACME_ASSIGN_OR_RETURN(const ValueId places, builder.AddTensor(op.Outputs()[1]));
  const Value& x = topk.x.value;
  Steps steps(x.name, builder);
  const Steps::Shape matrix = {static_cast<int32_t>(topk.rows), x.shape.back()};
  const MovePiece all = {.from = given, .dims = {{static_cast<int32_t>(x.Elems()), 1, 1}}};
  Search search(x.shape == matrix ? given : steps.Rearrange({all}, x.dtype, matrix), steps);
  std::vector<ValueId> found_values;
  std::vector<ValueId> found_places;
  for (int32_t i = 0; i < topk.count; ++i) {
    const Search::Found found = search.Next();
    found_values.push_back(found.value);
    found_places.push_back(found.place);
  }
  Join(found_values, values, steps);
  Join(found_places, places, steps);
  return {};
}

}  // namespace acme::compiler
