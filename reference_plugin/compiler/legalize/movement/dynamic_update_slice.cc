// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// DYNAMIC_UPDATE_SLICE: where the update begins is computed while the program runs. Begins are moved
// so that it fits, then made one number: the place of its first element, in units of what all
// dimensions that it can move along have in common.

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <vector>

#include "reference_plugin/compiler/arithmetic/fixed_point.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/legalize/operands.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/movement/update_slice.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

struct Places {
  std::vector<int32_t> most;   // of each dimension's begin
  std::vector<int32_t> units;  // that a step along it is
};

// One layer of two operands of int32, the second constant; results from 0 on.
ValueId AddStep(BinaryOp op, ValueId a, const std::vector<int32_t>& b, const std::string& name,
                NetworkBuilder& builder) {
  const auto rank = static_cast<int32_t>(b.size());
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->extent = {rank, 1, 1, 1};
  binary->a.value = a;
  binary->a.stride_elems = {1, 0, 0, 0};
  binary->b.value = builder.AddNumbers(name, Dtype::kI32, {rank}, b);
  binary->b.stride_elems = {1, 0, 0, 0};
  // Begins below 0 become 0 so; the products that follow are not negative anyway.
  binary->clamp = {0, TypeRange(Dtype::kI32).hi};
  const ValueId result = builder.AddValue(name, Dtype::kI32, {rank});
  builder.AddLayer(result, std::move(binary));
  return result;
}

// The sum of each begin, moved into range, times its units.
ValueId AddPlace(ValueId begins, const Places& places, const std::string& name,
                 NetworkBuilder& builder) {
  const ValueId inside = AddStep(BinaryOp::kMin, begins, places.most, name, builder);
  const ValueId scaled = AddStep(BinaryOp::kMul, inside, places.units, name, builder);
  auto sum = std::make_shared<Reduce>();
  sum->x = scaled;
  sum->op = ReduceOp::kSum;
  sum->in = Dtype::kI32;
  sum->out = Dtype::kI32;
  sum->dims = {{static_cast<int32_t>(places.most.size()), true}};
  const ValueId place = builder.AddValue(name, Dtype::kI32, {1});
  builder.AddLayer(place, std::move(sum));
  return place;
}

}  // namespace

Expected<void> LegalizeDynamicUpdateSlice(const litert::Op& op, const Hardware&,
                                          NetworkBuilder& builder) {
  ACME_ASSIGN_OR_RETURN(const OneOperand operands, ReadOneOperand(op));
  const auto inputs = op.Inputs();
  ACME_ASSIGN_OR_RETURN(const TensorInfo update, ReadTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(const TensorInfo begins, ReadTensor(inputs[2]));
  const std::vector<int32_t>& shape = operands.x.value.shape;
  if (update.value.dtype != operands.x.value.dtype)
    return Unsupported("the update must have the operand's type");
  if (begins.value.dtype != Dtype::kI32)
    return Unsupported(
        fmt::format("begins must be int32, they are {}", DtypeName(begins.value.dtype)));
  bool fits = !shape.empty() && update.value.shape.size() == shape.size() &&
              begins.value.Elems() == static_cast<int64_t>(shape.size()) &&
              operands.y.value.shape == shape;
  for (size_t d = 0; fits && d < shape.size(); ++d) fits = update.value.shape[d] <= shape[d];
  if (!fits) {
    return Unsupported(fmt::format("an update of {} does not fit an operand of {} and {} begins",
                                   ShapeName(update.value.shape), ShapeName(shape),
                                   begins.value.Elems()));
  }
  auto slice = std::make_shared<UpdateSlice>();
  slice->extent = update.value.shape;
  slice->stride_elems.resize(shape.size());
  int64_t stride = 1;
  int64_t unit = 0;
  int64_t last = 0;
  Places places;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    slice->stride_elems[d] = stride;
    const int32_t most = shape[d] - update.value.shape[d];
    places.most.insert(places.most.begin(), most);
    // Dimensions that the update fills leave no choice of a begin. The others' strides are
    // multiples of the unit, which keeps the place, an int32, small.
    if (most > 0) unit = std::gcd(unit, stride);
    last += most * stride;
  }
  unit = std::max<int64_t>(unit, 1);
  for (size_t d = 0; d < shape.size(); ++d) {
    places.units.push_back(places.most[d] > 0 ? static_cast<int32_t>(slice->stride_elems[d] / unit)
                                              : 0);
  }
  slice->unit_elems = static_cast<int32_t>(unit);
  slice->last = static_cast<int32_t>(last / unit);
  ACME_ASSIGN_OR_RETURN(slice->operand, builder.AddTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(slice->update, builder.AddTensor(inputs[1]));
  ACME_ASSIGN_OR_RETURN(const ValueId start, builder.AddTensor(inputs[2]));
  // All layers write their caches at one place.
  ValueId& place = builder.Shared(fmt::format(
      "place v{} in {} by {}", start, fmt::join(places.most, " "), fmt::join(places.units, " ")));
  if (place == kNoValue) place = AddPlace(start, places, operands.y.value.name, builder);
  slice->place = place;
  return builder.AddLayer(op.Outputs()[0], std::move(slice));
}

}  // namespace acme::compiler
