// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/rows/split_reductions.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/network/drained_extremes.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Of a row at least, so that what is left for the second reduction is little.
constexpr int64_t kLeastElemsOfRow = 16;

// Whether the largest sum that there can be, whatever the zero point, is a number of 32 bits.
bool SumFits(const Reduce& reduce) {
  const int64_t bytes = SizeBytes(reduce.in);
  if (bytes > 2) return false;
  const int64_t largest = (int64_t{1} << (8 * bytes)) - 1;
  const int64_t term = reduce.IsOfSquares() ? largest * largest : largest;
  return reduce.Count() <= std::numeric_limits<int32_t>::max() / term;
}

// Rows of the image that all go into each result; 0 if it is not so, or if one reduction does as well.
int32_t RowsReduced(const Reduce& reduce, const Value& x) {
  if (reduce.place || reduce.x_base_elems > 0 || reduce.x_pitch > 0 || reduce.dims.empty() ||
      x.is_constant() || x.shape.size() != 4 || x.shape[0] != 1)
    return 0;
  const int32_t rows = x.shape[kRowDimension];
  const ReduceDimension& outer = reduce.dims.back();
  const bool splits = rows > 1 && outer.reduced && outer.extent % rows == 0 &&
                      reduce.Count() / rows >= kLeastElemsOfRow;
  if (!splits) return 0;
  return reduce.in == Dtype::kF32 || !reduce.IsSum() || SumFits(reduce) ? rows : 0;
}

// The reduction within each of so many rows.
Reduce WithinRows(const Reduce& whole, int32_t rows) {
  Reduce within = whole;
  const int32_t of_row = within.dims.back().extent / rows;
  within.dims.pop_back();
  if (of_row > 1) within.dims.push_back({of_row, true});
  if (within.dims.back().reduced) {
    within.dims.push_back({rows, false});
  } else {
    within.dims.back().extent *= rows;
  }
  if (whole.in == Dtype::kF32 || !whole.IsSum()) {
    within.out = whole.in;
  } else {
    within.op = whole.IsOfSquares() ? ReduceOp::kSumSquares : ReduceOp::kSum;
    within.out = Dtype::kI32;
    within.out_zp = 0;
    within.scale = {};
  }
  return within;
}

// The reduction of what so many rows gave, of so many elements each.
Reduce OfRows(const Reduce& whole, const Reduce& within, ValueId parts, int32_t rows,
              int32_t elems) {
  Reduce of_rows = whole;
  of_rows.x = parts;
  of_rows.in = within.out;
  of_rows.in_zp = 0;
  if (whole.IsSum())
    of_rows.op = whole.IsMean() && whole.in == Dtype::kF32 ? ReduceOp::kMean : ReduceOp::kSum;
  of_rows.dims = {{rows, true}};
  if (elems > 1) of_rows.dims.insert(of_rows.dims.begin(), {elems, false});
  return of_rows;
}

int32_t Kept(const Reduce& reduce) {
  int32_t kept = 1;
  for (const ReduceDimension& dim : reduce.dims) kept *= dim.reduced ? 1 : dim.extent;
  return kept;
}

// Layers of reductions that what makes their operand does on the way, at no cost.
std::set<size_t> FoundOnTheWay(const Network& network) {
  std::set<size_t> layers;
  for (const auto& [value, extremes] : FindDrainedExtremes(network))
    layers.insert(extremes.reducers.begin(), extremes.reducers.end());
  return layers;
}

}  // namespace

void SplitReductions(Network& network, int64_t large_bytes) {
  const std::set<size_t> on_the_way = FoundOnTheWay(network);
  std::vector<Layer> layers;
  for (size_t i = 0; i < network.layers.size(); ++i) {
    Layer& layer = layers.emplace_back(std::move(network.layers[i]));
    const auto* whole = layer.As<Reduce>();
    if (whole == nullptr || on_the_way.contains(i)) continue;
    const Value& x = network.value(whole->x);
    const int32_t rows = x.Bytes() > large_bytes ? RowsReduced(*whole, x) : 0;
    if (rows == 0) continue;
    auto within = std::make_shared<Reduce>(WithinRows(*whole, rows));
    const int32_t kept = Kept(*whole);
    const auto parts = static_cast<ValueId>(network.values.size());
    network.values.push_back({.name = network.value(layer.output).name,
                              .dtype = within->out,
                              .shape = {1, rows, 1, kept}});
    Layer second = layer;
    second.op = std::make_shared<Reduce>(OfRows(*whole, *within, parts, rows, kept));
    layer.op = std::move(within);
    layer.output = parts;
    layer.is_result = false;
    layers.push_back(std::move(second));
  }
  network.layers = std::move(layers);
}

}  // namespace acme::compiler
