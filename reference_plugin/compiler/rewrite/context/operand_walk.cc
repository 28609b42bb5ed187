// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace acme::compiler {
namespace {

// Where rows begin in a walk that was split there.
size_t FirstRowDimension(const Walk& walk, int64_t columns) {
  size_t d = 0;
  for (int64_t elems = 1; elems < columns; ++d) elems *= walk[d].extent;
  return d;
}

enum class Order : uint8_t { kNone, kDense, kOther };

// How an operand's elements follow each other in dimensions [begin, end), `apart` elements apart.
Order OrderOf(const Walk& walk, size_t operand, size_t begin, size_t end, int64_t apart) {
  bool dense = true;
  bool none = true;
  for (size_t d = begin; d < end; ++d) {
    if (walk[d].extent == 1) continue;
    const int64_t stride = walk[d].stride_elems[operand];
    dense = dense && stride == apart;
    none = none && stride == 0;
    apart *= walk[d].extent;
  }
  return none ? Order::kNone : dense ? Order::kDense : Order::kOther;
}

}  // namespace

Walk WalkOf(const Binary& op) {
  Walk walk;
  const std::vector<const Binary::Operand*> sides = op.Sides();
  for (size_t d = 0; d < op.extent.size(); ++d) {
    if (op.extent[d] == 1) continue;
    WalkDimension& dimension = walk.emplace_back();
    dimension.extent = op.extent[d];
    for (const Binary::Operand* side : sides)
      dimension.stride_elems.push_back(side->stride_elems[d]);
  }
  for (const OuterDimension& outer : op.outer)
    walk.push_back({outer.extent, {outer.a_stride_elems, outer.b_stride_elems}});
  return walk;
}

std::optional<Binary> WithWalk(Binary op, const Walk& walk) {
  constexpr size_t kRank = std::tuple_size_v<decltype(op.extent)>;
  const std::vector<Binary::Operand*> sides = op.Sides();
  if (walk.size() > kRank && op.then) return std::nullopt;
  op.outer.clear();
  op.extent.fill(1);
  for (Binary::Operand* side : sides) side->stride_elems.fill(0);
  for (size_t d = 0; d < walk.size(); ++d) {
    const WalkDimension& dimension = walk[d];
    if (d >= kRank) {
      op.outer.push_back({dimension.extent, dimension.stride_elems[0], dimension.stride_elems[1]});
      continue;
    }
    op.extent[d] = dimension.extent;
    for (size_t i = 0; i < sides.size(); ++i) sides[i]->stride_elems[d] = dimension.stride_elems[i];
  }
  return op;
}

std::optional<Walk> SplitAtRow(Walk walk, int64_t columns) {
  int64_t elems = 1;
  for (size_t d = 0; elems < columns; ++d) {
    if (d == walk.size() || columns % elems != 0) return std::nullopt;
    const int64_t left = columns / elems;
    if (walk[d].extent > left) {
      if (walk[d].extent % left != 0) return std::nullopt;
      WalkDimension rows = walk[d];
      rows.extent = static_cast<int32_t>(walk[d].extent / left);
      for (int32_t& stride : rows.stride_elems) stride *= static_cast<int32_t>(left);
      walk[d].extent = static_cast<int32_t>(left);
      walk.insert(walk.begin() + static_cast<std::ptrdiff_t>(d) + 1, std::move(rows));
    }
    elems *= walk[d].extent;
  }
  if (elems != columns) return std::nullopt;
  return walk;
}

std::optional<bool> IsByColumn(const Walk& whole, size_t operand, int64_t columns) {
  const std::optional<Walk> walk = SplitAtRow(whole, columns);
  if (!walk) return std::nullopt;
  const Order order = OrderOf(*walk, operand, 0, FirstRowDimension(*walk, columns), 1);
  if (order == Order::kOther) return std::nullopt;
  return order == Order::kDense;
}

std::optional<bool> IsByColumnOfItsRow(const Walk& whole, size_t operand, int64_t columns) {
  const std::optional<Walk> walk = SplitAtRow(whole, columns);
  const std::optional<bool> by_column = IsByColumn(whole, operand, columns);
  if (!by_column) return std::nullopt;
  const Order by_row = OrderOf(*walk, operand, FirstRowDimension(*walk, columns), walk->size(),
                               *by_column ? columns : 1);
  if (by_row == Order::kOther) return std::nullopt;
  return by_column;
}

bool IsWholeView(const Value& view, const Network& network) {
  return view.base != kNoValue && view.base_offset_bytes == 0 &&
         network.value(view.base).Elems() == view.Elems();
}

}  // namespace acme::compiler
