// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/mask_bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/movement/gather.h"
#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

namespace acme::compiler {
namespace {

constexpr Bounds kNothing = {.lo = std::numeric_limits<double>::infinity(),
                             .hi = -std::numeric_limits<double>::infinity()};
constexpr Bounds kFalse = {.lo = 0, .hi = 0};
constexpr Bounds kTrue = {.lo = 1, .hi = 1};

// Of a - b.
Bounds Compared(CompareOp op, const Bounds& difference) {
  const bool never_less = difference.lo >= 0;
  const bool never_more = difference.hi <= 0;
  const bool is_less = difference.hi < 0;
  const bool is_more = difference.lo > 0;
  const bool is_equal = difference == Bounds{0, 0};
  const auto answer = [](bool yes, bool no) { return yes ? kTrue : no ? kFalse : Bounds{0, 1}; };
  switch (op) {
    case CompareOp::kEqual:
      return answer(is_equal, is_less || is_more);
    case CompareOp::kNotEqual:
      return answer(is_less || is_more, is_equal);
    case CompareOp::kLess:
      return answer(is_less, never_less);
    case CompareOp::kLessEqual:
      return answer(never_more, is_more);
    case CompareOp::kGreater:
      return answer(is_more, never_more);
    case CompareOp::kGreaterEqual:
      return answer(never_less, is_less);
  }
  return {0, 1};
}

// int16's are quantised; they are selected and moved as they are stored.
bool IsKnownType(Dtype dtype) {
  return dtype == Dtype::kF32 || dtype == Dtype::kI32 || dtype == Dtype::kI16 ||
         dtype == Dtype::kBool;
}

double ElemAt(const Value& value, int64_t i) {
  const auto at = static_cast<size_t>(i);
  if (value.dtype == Dtype::kBool) return value.constant[at] != 0 ? 1 : 0;
  if (value.dtype == Dtype::kI16) {
    int16_t number = 0;
    std::memcpy(&number, value.constant.data() + at * sizeof(number), sizeof(number));
    return number;
  }
  uint32_t bits = 0;
  std::memcpy(&bits, value.constant.data() + at * sizeof(bits), sizeof(bits));
  return value.dtype == Dtype::kF32 ? std::bit_cast<float>(bits) : std::bit_cast<int32_t>(bits);
}

}  // namespace

MaskBounds::MaskBounds(const Network& network, const std::vector<int32_t>& writers, int32_t context,
                       int32_t length)
    : network_(network), writers_(writers), context_(context), length_(length) {}

std::optional<MaskBounds::Parts> MaskBounds::Of(ValueId mask) {
  const int64_t elems = network_.value(mask).Elems();
  if (elems == 0 || elems % context_ != 0) return std::nullopt;
  rows_ = elems / context_;
  own_position_ = kNoValue;
  found_.clear();
  const std::optional<Found> tail = Find(mask, Part::kTail, /*by_column=*/true);
  const std::optional<Found> own = Find(mask, Part::kOwn, /*by_column=*/true);
  if (!tail || !own) return std::nullopt;
  return Parts{Widened(*tail), Widened(*own)};
}

Bounds MaskBounds::Widened(const Found& found) const {
  if (!found.of_position) return found.bounds;
  return Sum(found.bounds, {0, static_cast<double>(length_ - 1)});
}

bool MaskBounds::IsWanted(int64_t column, Part part) const {
  return part == Part::kTail ? column >= length_ : column < length_;
}

std::optional<MaskBounds::Found> MaskBounds::Find(ValueId id, Part part, bool by_column) {
  constexpr int kDeepest = 64;
  const std::tuple key(id, part, by_column);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  const std::optional<Found> found = FindAnew(id, part, by_column);
  --depth_;
  found_[key] = found;
  return found;
}

std::optional<MaskBounds::Found> MaskBounds::FindAnew(ValueId id, Part part, bool by_column) {
  const Value& value = network_.value(id);
  const int64_t columns = by_column ? context_ : 1;
  const int64_t elems = value.Elems();
  if (!IsKnownType(value.dtype) || (elems != columns && elems != columns * rows_))
    return std::nullopt;
  if (value.is_constant()) return OfConstant(value, part, by_column);
  if (value.input_index >= 0) return OfInput(id, part, by_column);
  if (IsWholeView(value, network_)) return Find(value.base, part, by_column);
  const int32_t layer = writers_[static_cast<size_t>(id)];
  if (layer < 0) return std::nullopt;
  std::optional<Found> found =
      Compute(network_.layers[static_cast<size_t>(layer)], part, by_column);
  if (found && (std::isnan(found->bounds.lo) || std::isnan(found->bounds.hi))) return std::nullopt;
  return found;
}

std::optional<MaskBounds::Found> MaskBounds::Compute(const Layer& layer, Part part,
                                                     bool by_column) {
  if (layer.As<Binary>() != nullptr) return OfBinary(layer, part, by_column);
  if (layer.As<Compare>() != nullptr) return OfCompare(layer, part, by_column);
  if (layer.As<Select>() != nullptr) return OfSelect(layer, part, by_column);
  if (layer.As<Map>() != nullptr) return OfMap(layer, part, by_column);
  if (layer.As<Move>() != nullptr) return OfMove(layer, part, by_column);
  if (const auto* gather = layer.As<Gather>()) return OfGather(*gather, part, by_column);
  return std::nullopt;
}

MaskBounds::Found MaskBounds::OfConstant(const Value& value, Part part, bool by_column) const {
  Bounds all = kNothing;
  Bounds from_column = kNothing;
  for (int64_t i = 0; i < value.Elems(); ++i) {
    const int64_t column = i % context_;
    if (by_column && !IsWanted(column, part)) continue;
    const double elem = ElemAt(value, i);
    all = Union(all, {elem, elem});
    from_column = Union(from_column,
                        {elem - static_cast<double>(column), elem - static_cast<double>(column)});
  }
  // The column is the position.
  if (by_column && part == Part::kOwn && from_column.lo == from_column.hi)
    return {from_column, /*of_position=*/true};
  return {all};
}

std::optional<MaskBounds::Found> MaskBounds::OfInput(ValueId id, Part part, bool by_column) {
  const Value& value = network_.value(id);
  if (value.dtype != Dtype::kI32 || by_column || value.Elems() != rows_) return std::nullopt;
  positions_.insert(id);
  if (part == Part::kOwn && own_position_ == kNoValue) own_position_ = id;
  if (part == Part::kOwn && own_position_ == id) return Found{{0, 0}, /*of_position=*/true};
  return Found{{0, static_cast<double>(length_ - 1)}};
}

std::optional<MaskBounds::Found> MaskBounds::OfOperand(ValueId id, const Walk& walk, size_t operand,
                                                       Part part, bool by_column) {
  const std::optional<bool> its = IsByColumnOfItsRow(walk, operand, by_column ? context_ : 1);
  if (!its) return std::nullopt;
  return Find(id, part, *its);
}

std::optional<MaskBounds::Found> MaskBounds::OfBinary(const Layer& layer, Part part,
                                                      bool by_column) {
  const Binary& op = *layer.As<Binary>();
  const Value& result = network_.value(layer.output);
  const bool is_raw = !op.then && op.y_pitch == 0 && op.a.base_elems == 0 && op.b.base_elems == 0;
  if (!is_raw || result.dtype == Dtype::kI16 || op.ComputedIn(result.dtype) != result.dtype)
    return std::nullopt;
  const Walk walk = WalkOf(op);
  const std::optional<Found> a = OfOperand(op.a.value, walk, 0, part, by_column);
  const std::optional<Found> b = OfOperand(op.b.value, walk, 1, part, by_column);
  if (!a || !b) return std::nullopt;
  const Bounds limits = LimitsOf(op.clamp, result.dtype);
  // What a limit may change is no difference any more.
  const auto moved = [&](const Bounds& by, bool of_position) -> Found {
    const Found found = {by, of_position};
    const Bounds all = Widened(found);
    return Clamped(all, limits) == all ? found : Found{Clamped(all, limits)};
  };
  switch (op.op) {
    case BinaryOp::kAdd:
      if (a->of_position && b->of_position)
        return Found{Clamped(Sum(Widened(*a), Widened(*b)), limits)};
      return moved(Sum(a->bounds, b->bounds), a->of_position || b->of_position);
    case BinaryOp::kSub:
      if (b->of_position && !a->of_position)
        return Found{Clamped(Difference(a->bounds, Widened(*b)), limits)};
      return moved(Difference(a->bounds, b->bounds), a->of_position && !b->of_position);
    case BinaryOp::kMul:
      return Found{Clamped(Product(Widened(*a), Widened(*b)), limits)};
    case BinaryOp::kMax:
      return Found{Clamped(
          {std::max(Widened(*a).lo, Widened(*b).lo), std::max(Widened(*a).hi, Widened(*b).hi)},
          limits)};
    case BinaryOp::kMin:
      return Found{Clamped(
          {std::min(Widened(*a).lo, Widened(*b).lo), std::min(Widened(*a).hi, Widened(*b).hi)},
          limits)};
    default:
      return std::nullopt;
  }
}

std::optional<MaskBounds::Found> MaskBounds::OfCompare(const Layer& layer, Part part,
                                                       bool by_column) {
  const Compare& op = *layer.As<Compare>();
  if (op.base_elems != decltype(op.base_elems){} || network_.value(op.a).dtype == Dtype::kI16)
    return std::nullopt;
  const std::optional<Found> a = OfOperand(op.a, op.walk, 0, part, by_column);
  const std::optional<Found> b = OfOperand(op.b, op.walk, 1, part, by_column);
  if (!a || !b) return std::nullopt;
  const bool alike = a->of_position == b->of_position;
  return Found{Compared(
      op.op, alike ? Difference(a->bounds, b->bounds) : Difference(Widened(*a), Widened(*b)))};
}

std::optional<MaskBounds::Found> MaskBounds::OfSelect(const Layer& layer, Part part,
                                                      bool by_column) {
  const Select& op = *layer.As<Select>();
  if (op.base_elems != decltype(op.base_elems){}) return std::nullopt;
  const std::optional<Found> mask = OfOperand(op.mask, op.walk, 0, part, by_column);
  if (!mask) return std::nullopt;
  if (mask->bounds == kTrue) return OfOperand(op.yes, op.walk, 1, part, by_column);
  if (mask->bounds == kFalse) return OfOperand(op.no, op.walk, 2, part, by_column);
  const std::optional<Found> yes = OfOperand(op.yes, op.walk, 1, part, by_column);
  const std::optional<Found> no = OfOperand(op.no, op.walk, 2, part, by_column);
  if (!yes || !no) return std::nullopt;
  return Found{Union(Widened(*yes), Widened(*no))};
}

std::optional<MaskBounds::Found> MaskBounds::OfMap(const Layer& layer, Part part, bool by_column) {
  const Map& op = *layer.As<Map>();
  if (op.x_base_elems != 0 || op.cols != 0 || !IsKnownType(op.in) || !IsKnownType(op.out))
    return std::nullopt;
  const std::optional<Found> x = Find(op.x, part, by_column);
  if (!x) return std::nullopt;
  const auto* convert = std::get_if<ConvertOp>(&op.function);
  if (convert != nullptr && *convert == ConvertOp::kCast) return Cast(op, *x);
  const Bounds all = Widened(*x);
  const std::optional<Bounds> results = BoundsOfResults(op, all);
  if (!results) return std::nullopt;
  const auto* unary = std::get_if<UnaryOp>(&op.function);
  const bool is_same = unary != nullptr && *unary == UnaryOp::kCopy && *results == all;
  return is_same ? *x : Found{*results};
}

std::optional<MaskBounds::Found> MaskBounds::Cast(const Map& op, const Found& x) const {
  const Bounds all = Widened(x);
  if (op.out == Dtype::kBool) return Found{Compared(CompareOp::kNotEqual, all)};
  if (op.in == Dtype::kF32 && op.out == Dtype::kI32) {
    // Towards zero; what is no number, or too large a one, is out of what is asked here.
    if (!(all.lo >= std::numeric_limits<int32_t>::min()) ||
        !(all.hi <= std::numeric_limits<int32_t>::max()))
      return std::nullopt;
    return Found{{std::trunc(all.lo), std::trunc(all.hi)}};
  }
  if (op.out == Dtype::kI16) return std::nullopt;
  return x;
}

// A value under another shape, or repeated.
std::optional<MaskBounds::Found> MaskBounds::OfMove(const Layer& layer, Part part, bool by_column) {
  const Move& move = *layer.As<Move>();
  if (move.pieces.size() != 1) return std::nullopt;
  const MovePiece& piece = move.pieces.front();
  if (piece.from == kNoValue || piece.from_base_elems != 0 || piece.to_base_elems != 0)
    return std::nullopt;
  std::vector<MoveDimension> dims = piece.dims;
  std::erase_if(dims, [](const MoveDimension& dim) { return dim.extent == 1; });
  std::sort(dims.begin(), dims.end(), [](const MoveDimension& a, const MoveDimension& b) {
    return a.to_stride_elems < b.to_stride_elems;
  });
  Walk walk;
  int64_t elems = 1;
  for (const MoveDimension& dim : dims) {
    const bool fits = dim.to_stride_elems == elems && dim.from_stride_elems >= 0 &&
                      dim.from_stride_elems <= std::numeric_limits<int32_t>::max();
    if (!fits) return std::nullopt;
    walk.push_back({dim.extent, {static_cast<int32_t>(dim.from_stride_elems)}});
    elems *= dim.extent;
  }
  return OfOperand(piece.from, walk, 0, part, by_column);
}

// A table's rows by position.
std::optional<MaskBounds::Found> MaskBounds::OfGather(const Gather& gather, Part part,
                                                      bool by_column) {
  const Value& table = network_.value(gather.table);
  const int64_t columns = by_column ? context_ : 1;
  if (!table.is_constant() || table.int4 || !IsKnownType(table.dtype) || gather.outer != 1 ||
      gather.run != columns || gather.count != rows_)
    return std::nullopt;
  const std::optional<Found> index = Find(gather.indices, part, /*by_column=*/false);
  if (!index) return std::nullopt;
  const Bounds rows = Widened(*index);
  // An index outside the table is an error, here and there.
  const auto first = static_cast<int64_t>(std::max(rows.lo, 0.0));
  const auto last = static_cast<int64_t>(std::min<double>(rows.hi, gather.along - 1));
  const bool by_position = index->of_position && index->bounds.lo == index->bounds.hi;
  Bounds found = kNothing;
  for (int64_t row = first; row <= last; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      const bool is_own =
          !by_position || !by_column || column == row - static_cast<int64_t>(index->bounds.lo);
      if (by_column && (!IsWanted(column, part) || (part == Part::kOwn && !is_own))) continue;
      const double elem = ElemAt(table, row * columns + column);
      found = Union(found, {elem, elem});
    }
  }
  return Found{found};
}

}  // namespace acme::compiler
