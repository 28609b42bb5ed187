// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/context/narrowing.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference_plugin/compiler/lower/elementwise/compare.h"
#include "reference_plugin/compiler/lower/elementwise/map.h"
#include "reference_plugin/compiler/lower/elementwise/select.h"
#include "reference_plugin/compiler/lower/elementwise/softmax.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/context/operand_walk.h"

namespace acme::compiler {
namespace {

// Distances in whole rows, of rows that have become shorter. False if it is none.
template <class T>
bool Shorten(T& elems, int32_t context, int32_t length) {
  if (elems % context != 0) return false;
  elems = elems / context * length;
  return true;
}

}  // namespace

Narrowing::Narrowing(const Network& network)
    : network_(network),
      writer_(ValueLinks(network).writer),
      readers_(network.values.size()),
      views_(network.values.size()),
      added_(network.layers.size()) {
  for (size_t i = 0; i < network.layers.size(); ++i) {
    for (ValueId id : network.layers[i].Inputs()) readers_[static_cast<size_t>(id)].push_back(i);
  }
  for (size_t id = 0; id < network.values.size(); ++id) {
    if (network.values[id].base != kNoValue)
      views_[static_cast<size_t>(network.values[id].base)].push_back(static_cast<ValueId>(id));
  }
}

ValueId Narrowing::AddValue(ValueId whole, int32_t length) {
  Value value = network_.value(whole);
  value.shape.back() = length;
  network_.values.push_back(std::move(value));
  return static_cast<ValueId>(network_.values.size()) - 1;
}

void Narrowing::AddLayer(size_t at, ValueId output, std::shared_ptr<const LayerOp> op) {
  Layer layer = network_.layers[at];
  layer.output = output;
  layer.op = std::move(op);
  added_[at].push_back(std::move(layer));
}

std::optional<ValueId> Narrowing::Columns(ValueId whole, int32_t context, int32_t length) {
  if (const auto known = narrow_.find(whole); known != narrow_.end()) return known->second;
  // No deeper than what stands between scores and softmax.
  constexpr int kDeepest = 64;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  const std::optional<ValueId> made = Compute(whole, context, length);
  --depth_;
  narrow_[whole] = made;
  return made;
}

std::optional<ValueId> Narrowing::Compute(ValueId whole, int32_t context, int32_t length) {
  const Value& value = network_.value(whole);
  if (value.is_constant() || value.input_index >= 0 || value.output_index >= 0 ||
      value.shape.empty() || value.shape.back() != context)
    return std::nullopt;
  if (value.base != kNoValue) {
    if (!IsWholeView(value, network_)) return std::nullopt;
    const std::optional<ValueId> base = Columns(value.base, context, length);
    if (!base) return std::nullopt;
    const ValueId view = AddValue(whole, length);
    network_.values[static_cast<size_t>(view)].base = *base;
    return view;
  }
  const int32_t writer = writer_[static_cast<size_t>(whole)];
  if (writer < 0) return std::nullopt;
  const auto at = static_cast<size_t>(writer);
  const std::shared_ptr<const LayerOp> source = network_.layers[at].op;
  std::shared_ptr<const LayerOp> op = ComputeElementwise(*source, context, length);
  if (const auto* matmul = dynamic_cast<const MatMul*>(source.get())) {
    auto some = std::make_shared<MatMul>(*matmul);
    some->cols = length;
    bool fits = matmul->cols == context && !matmul->y_transposed &&
                Shorten(some->y_row_stride, context, length);
    for (MatMul::Product& product : some->products)
      fits = fits && Shorten(product.y, context, length);
    if (fits) op = std::move(some);
  }
  if (op == nullptr) return std::nullopt;
  const ValueId narrow = AddValue(whole, length);
  AddLayer(at, narrow, std::move(op));
  return narrow;
}

std::optional<Walk> Narrowing::NarrowWalk(const Walk& whole, std::vector<WalkOperand>& operands,
                                          int32_t context, int32_t length) {
  std::optional<Walk> walk = SplitAtRow(whole, context);
  if (!walk || walk->empty() || walk->front().extent != context) return std::nullopt;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::optional<bool> by_column = IsByColumn(*walk, i, context);
    if (!by_column) return std::nullopt;
    if (!*by_column) continue;
    const std::optional<ValueId> narrow = Columns(operands[i].value, context, length);
    if (!narrow) continue;  // read where they stand
    if (!Shorten(operands[i].base_elems, context, length)) return std::nullopt;
    operands[i].value = *narrow;
    for (size_t d = 1; d < walk->size(); ++d) {
      if (!Shorten((*walk)[d].stride_elems[i], context, length)) return std::nullopt;
    }
  }
  walk->front().extent = length;
  return walk;
}

std::shared_ptr<const LayerOp> Narrowing::ComputeElementwise(const LayerOp& op, int32_t context,
                                                             int32_t length) {
  if (const auto* binary = dynamic_cast<const Binary*>(&op)) {
    if (binary->y_pitch != 0) return nullptr;
    std::vector<WalkOperand> operands;
    for (const Binary::Operand* side : binary->Sides())
      operands.push_back({side->value, side->base_elems});
    const std::optional<Walk> walk = NarrowWalk(WalkOf(*binary), operands, context, length);
    std::optional<Binary> some = walk ? WithWalk(*binary, *walk) : std::nullopt;
    if (!some) return nullptr;
    const std::vector<Binary::Operand*> sides = some->Sides();
    for (size_t i = 0; i < sides.size(); ++i) {
      sides[i]->value = operands[i].value;
      sides[i]->base_elems = operands[i].base_elems;
    }
    return std::make_shared<Binary>(std::move(*some));
  }
  if (const auto* compare = dynamic_cast<const Compare*>(&op)) {
    auto some = std::make_shared<Compare>(*compare);
    std::vector<WalkOperand> operands = {{some->a, some->base_elems[0]},
                                         {some->b, some->base_elems[1]}};
    const std::optional<Walk> walk = NarrowWalk(some->walk, operands, context, length);
    if (!walk) return nullptr;
    some->walk = *walk;
    some->a = operands[0].value;
    some->b = operands[1].value;
    some->base_elems = {operands[0].base_elems, operands[1].base_elems};
    return some;
  }
  if (const auto* select = dynamic_cast<const Select*>(&op)) {
    auto some = std::make_shared<Select>(*select);
    std::vector<WalkOperand> operands = {{some->mask, some->base_elems[0]},
                                         {some->yes, some->base_elems[1]},
                                         {some->no, some->base_elems[2]}};
    const std::optional<Walk> walk = NarrowWalk(some->walk, operands, context, length);
    if (!walk) return nullptr;
    some->walk = *walk;
    some->mask = operands[0].value;
    some->yes = operands[1].value;
    some->no = operands[2].value;
    some->base_elems = {operands[0].base_elems, operands[1].base_elems, operands[2].base_elems};
    return some;
  }
  if (const auto* map = dynamic_cast<const Map*>(&op)) {
    const std::optional<ValueId> x =
        map->x_base_elems == 0 && map->cols == 0 ? Columns(map->x, context, length) : std::nullopt;
    if (!x) return nullptr;
    auto some = std::make_shared<Map>(*map);
    some->x = *x;
    return some;
  }
  return nullptr;
}

std::optional<ValueId> Narrowing::ColumnsOfSoftmax(size_t layer, int32_t length) {
  const std::shared_ptr<const LayerOp> source = network_.layers[layer].op;
  auto some = std::make_shared<Softmax>(dynamic_cast<const Softmax&>(*source));
  const ValueId whole = network_.layers[layer].output;
  const Value& value = network_.value(whole);
  if (value.base != kNoValue || value.output_index >= 0 || value.shape.back() != some->depth ||
      !Shorten(some->x_base_elems, some->depth, length))
    return std::nullopt;
  const std::optional<ValueId> x = Columns(some->x, some->depth, length);
  if (!x) return std::nullopt;
  some->x = *x;
  some->LeaveOut(some->depth - length);
  const ValueId narrow = AddValue(whole, length);
  AddLayer(layer, narrow, std::move(some));
  narrow_[whole] = narrow;
  return narrow;
}

std::shared_ptr<const LayerOp> Narrowing::CutDepth(size_t layer, ValueId whole, ValueId narrow,
                                                   const Bounds& left_out,
                                                   const Reading& reading) const {
  const auto* matmul = network_.layers[layer].As<MatMul>();
  if (matmul == nullptr || matmul->depth != reading.context || matmul->a == matmul->b)
    return nullptr;
  const int32_t context = reading.context;
  const int32_t length = reading.length;
  const double zero = matmul->a == whole ? matmul->a_zp : matmul->b_zp;
  if (left_out != Bounds{zero, zero}) return nullptr;
  auto some = std::make_shared<MatMul>(*matmul);
  some->depth = length;
  bool fits = true;
  if (matmul->a == whole) {
    some->a = narrow;
    fits = Shorten(some->a_row_stride, context, length);
    for (MatMul::Product& product : some->products)
      fits = fits && Shorten(product.a, context, length);
  } else {
    // Rows of b are columns of the value only if it stands as rows.
    some->b = narrow;
    fits = matmul->b_transposed && Shorten(some->b_row_stride, context, length);
    for (MatMul::Product& product : some->products)
      fits = fits && Shorten(product.b, context, length);
  }
  return fits ? some : nullptr;
}

bool Narrowing::ReadColumns(ValueId whole, int32_t context, int32_t length,
                            const Bounds& left_out) {
  Reading reading{.context = context, .length = length};
  if (!PlanReading(whole, left_out, reading)) return false;
  for (auto& [layer, op] : reading.changes) network_.layers[layer].op = std::move(op);
  return true;
}

bool Narrowing::PlanReading(ValueId whole, const Bounds& left_out, Reading& reading) {
  constexpr size_t kMostValues = 64;
  if (!reading.values.insert(whole).second) return true;
  const std::optional<ValueId> narrow = Columns(whole, reading.context, reading.length);
  if (!narrow || network_.value(whole).output_index >= 0 || reading.values.size() > kMostValues)
    return false;
  for (ValueId view : views_[static_cast<size_t>(whole)]) {
    if (!PlanReading(view, left_out, reading)) return false;
  }
  for (size_t reader : readers_[static_cast<size_t>(whole)]) {
    if (auto op = CutDepth(reader, whole, *narrow, left_out, reading)) {
      reading.changes[reader] = std::move(op);
      continue;
    }
    const Layer& layer = network_.layers[reader];
    const auto* map = layer.As<Map>();
    const std::optional<Bounds> results = map ? BoundsOfResults(*map, left_out) : std::nullopt;
    if (!results || !PlanReading(layer.output, *results, reading)) return false;
  }
  return true;
}

Network Narrowing::Take() {
  std::vector<Layer> layers;
  for (size_t i = 0; i < network_.layers.size(); ++i) {
    std::move(added_[i].begin(), added_[i].end(), std::back_inserter(layers));
    layers.push_back(std::move(network_.layers[i]));
  }
  std::vector<bool> is_needed(network_.values.size());
  const auto need = [&](ValueId id) {
    is_needed[static_cast<size_t>(network_.RootOf(id).value)] = true;
  };
  for (ValueId id : network_.outputs) need(id);
  network_.layers.clear();
  for (size_t i = layers.size(); i-- > 0;) {
    if (!is_needed[static_cast<size_t>(network_.RootOf(layers[i].output).value)]) continue;
    for (ValueId id : layers[i].Inputs()) need(id);
    network_.layers.push_back(std::move(layers[i]));
  }
  std::reverse(network_.layers.begin(), network_.layers.end());
  return std::move(network_);
}

}  // namespace acme::compiler
