// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/legalize/steps.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "reference_plugin/compiler/legalize/broadcast.h"
#include "reference_plugin/compiler/legalize/map_layer.h"
#include "reference_plugin/compiler/lower/elementwise/binary.h"
#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"

namespace acme::compiler {
namespace {

using Shape = Steps::Shape;

// Operands' shapes, aligned at their ends; they fit, since this compiler made them.
Shape Broadcast(std::span<const Shape> shapes) {
  Shape result;
  for (const Shape& shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    const size_t offset = result.size() - shape.size();
    for (size_t d = 0; d < shape.size(); ++d)
      result[offset + d] = std::max(result[offset + d], shape[d]);
  }
  return result;
}

}  // namespace

ValueId Steps::Add(std::shared_ptr<const LayerOp> op, Dtype dtype, const Shape& shape,
                   ValueId into) {
  if (into == kNoValue) into = builder_.AddValue(name_, dtype, shape);
  builder_.AddLayer(into, std::move(op));
  return into;
}

ValueId Steps::Function(UnaryOp op, ValueId x, ValueId into) {
  const std::shared_ptr<Map> map = MapOf(Dtype::kF32, Dtype::kF32);
  map->x = x;
  map->function = op;
  return Add(map, Dtype::kF32, value(x).shape, into);
}

ValueId Steps::Cast(ValueId x, Dtype to, ValueId into) {
  const std::shared_ptr<Map> map = MapOf(value(x).dtype, to);
  map->x = x;
  map->function = ConvertOp::kCast;
  return Add(map, to, value(x).shape, into);
}

ValueId Steps::Both(BinaryOp op, ValueId a, ValueId b, ValueId into) {
  const std::array shapes = {value(a).shape, value(b).shape};
  const Shape shape = Broadcast(shapes);
  const BroadcastPlan plan = PlanBroadcast(shapes[0], shapes[1], shape);
  const Dtype dtype = value(a).dtype;
  auto binary = std::make_shared<Binary>();
  binary->op = op;
  binary->extent = plan.extent;
  binary->outer = plan.outer;
  binary->a.value = a;
  binary->a.stride_elems = plan.a_stride;
  binary->b.value = b;
  binary->b.stride_elems = plan.b_stride;
  binary->clamp = dtype == Dtype::kF32 ? FloatActivationRange(Activation::kNone) : TypeRange(dtype);
  return Add(std::move(binary), dtype, shape, into);
}

ValueId Steps::Compare(CompareOp op, ValueId a, ValueId b, ValueId into) {
  const std::array shapes = {value(a).shape, value(b).shape};
  const Shape shape = Broadcast(shapes);
  auto compare = std::make_shared<compiler::Compare>();
  compare->op = op;
  compare->a = a;
  compare->b = b;
  const std::array<ValueId*, 2> operands = {&compare->a, &compare->b};
  compare->walk = RepeatConstantRows(PlanWalk(shapes, shape), operands, shape, builder_);
  return Add(std::move(compare), Dtype::kBool, shape, into);
}

ValueId Steps::Select(ValueId mask, ValueId yes, ValueId no, ValueId into) {
  const std::array shapes = {value(mask).shape, value(yes).shape, value(no).shape};
  const Shape shape = Broadcast(shapes);
  auto select = std::make_shared<compiler::Select>();
  select->mask = mask;
  select->yes = yes;
  select->no = no;
  const std::array<ValueId*, 3> operands = {&select->mask, &select->yes, &select->no};
  select->walk = RepeatConstantRows(PlanWalk(shapes, shape), operands, shape, builder_);
  return Add(std::move(select), value(yes).dtype, shape, into);
}

ValueId Steps::AddReduce(ReduceOp op, bool place, ValueId x, size_t axis, ValueId into) {
  Shape shape = value(x).shape;
  std::vector<bool> reduced(shape.size());
  reduced[axis] = true;
  auto reduce = std::make_shared<compiler::Reduce>();
  reduce->x = x;
  reduce->op = op;
  reduce->in = value(x).dtype;
  reduce->out = place ? Dtype::kI32 : reduce->in;
  reduce->place = place;
  reduce->dims = MergeReduceDimensions(shape, reduced);
  shape[axis] = 1;
  const Dtype out = reduce->out;
  return Add(std::move(reduce), out, shape, into);
}

ValueId Steps::Reduce(ReduceOp op, ValueId x, size_t axis, ValueId into) {
  return AddReduce(op, /*place=*/false, x, axis, into);
}

ValueId Steps::PlaceOf(ReduceOp op, ValueId x, size_t axis, ValueId into) {
  return AddReduce(op, /*place=*/true, x, axis, into);
}

// Sums of one element each.
// v.reduce alone writes int64 (docs/isa.md, Dtype).
ValueId Steps::Widen(ValueId x, Dtype to, ValueId into) {
  auto reduce = std::make_shared<compiler::Reduce>();
  reduce->x = x;
  reduce->op = ReduceOp::kSum;
  reduce->in = value(x).dtype;
  reduce->out = to;
  reduce->dims = {{static_cast<int32_t>(value(x).Elems()), false}};
  return Add(std::move(reduce), to, value(x).shape, into);
}

ValueId Steps::Rearrange(std::vector<MovePiece> pieces, Dtype dtype, const Shape& shape,
                         ValueId into) {
  auto move = std::make_shared<Move>();
  move->pieces = std::move(pieces);
  return Add(std::move(move), dtype, shape, into);
}

}  // namespace acme::compiler
