// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/columns/columns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/columns/matrix_columns.h"
#include "reference_plugin/compiler/rewrite/layer_cycles.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Of the scratchpad: values of a chain that live at a time and together have less stay whole; and
// what those of one step may have.
constexpr int64_t kWholePercent = 40;
constexpr int64_t kStepPercent = 10;
// What a product among the layers reads: a larger one would come again for each step.
constexpr int64_t kImagePercent = 25;
// What one chain hands on to another: of more, most would not stay.
constexpr int64_t kHandedOnPercent = 60;
// Of chains whose values stay.
constexpr int32_t kMostSteps = 8;
constexpr size_t kMostLayers = 48;  // of a chain: looking at all keeps the time linear in layers

// What may be among a chain's layers.
struct ChainLimits {
  int64_t image_bytes = 0;      // that a product reads, at most
  int64_t handed_on_bytes = 0;  // of rows whose largest is looked for, at most; or
  int64_t copied_bytes = 0;     // more than this: they won't stay, and their columns are copied out
};

class Chain {
 public:
  Chain(const Network& network, const ValueUses& uses, size_t first, const ChainLimits& limits)
      : network_(network), uses_(uses), limits_(limits), first_(first), end_(first) {
    const Value& result = network.value(network.layers[first].output);
    cols_ = ColumnsOf(result);
    elems_ = result.Elems();
    while (end_ < std::min(network.layers.size(), first + kMostLayers) && CanJoin(end_)) ++end_;
  }

  bool empty() const { return end_ == first_; }
  size_t first() const { return first_; }
  size_t end() const { return end_; }
  int32_t cols() const { return cols_; }

  // Whether only layers of the chain need the layer's result, some columns at a time.
  bool IsInner(size_t layer) const {
    const ValueId id = network_.layers[layer].output;
    if (ExtremeOfRows(network_.layers[layer], cols_) != nullptr ||
        !uses_.AreLayersAlone(network_, id))
      return false;
    const std::vector<int32_t>& readers = uses_.readers[static_cast<size_t>(id)];
    return std::all_of(readers.begin(), readers.end(), [&](int32_t reader) {
      return static_cast<size_t>(reader) >= first_ && static_cast<size_t>(reader) < end_;
    });
  }

  // Whether the largest of a value's rows are looked for in the chain that will not stay as a whole.
  bool HasCopied() const {
    for (size_t i = first_; i < end_; ++i) {
      const Reduce* reduce = ExtremeOfRows(network_.layers[i], cols_);
      if (reduce != nullptr && network_.value(reduce->x).Bytes() > limits_.copied_bytes)
        return true;
    }
    return false;
  }

  // Bytes of inner values that live at a time.
  int64_t PeakBytes() const {
    int64_t live = 0;
    int64_t peak = 0;
    std::vector<int64_t> ends(end_ - first_);
    for (size_t i = first_; i < end_; ++i) {
      if (IsInner(i)) {
        const ValueId id = network_.layers[i].output;
        const int64_t bytes = network_.value(id).Bytes();
        live += bytes;
        ends[static_cast<size_t>(uses_.readers[static_cast<size_t>(id)].back()) - first_] += bytes;
      }
      peak = std::max(peak, live);
      live -= ends[i - first_];
    }
    return peak;
  }

  bool HasProduct() const {
    return std::any_of(network_.layers.begin() + static_cast<int64_t>(first_),
                       network_.layers.begin() + static_cast<int64_t>(end_),
                       [](const Layer& layer) { return layer.As<Conv>() != nullptr; });
  }

 private:
  bool CanJoin(size_t index) const {
    const Layer& layer = network_.layers[index];
    const Value& result = network_.value(layer.output);
    if (const Reduce* reduce = ExtremeOfRows(layer, cols_)) {
      const int64_t bytes = network_.value(reduce->x).Bytes();
      return IsMadeHere(reduce->x) &&
             (bytes <= limits_.handed_on_bytes || bytes > limits_.copied_bytes);
    }
    // What can be computed by rows of an image is left to regions.h.
    if (cols_ <= 1 || ColumnsOf(result) != cols_ || result.Elems() != elems_ ||
        CanBeInRegion(layer, network_))
      return false;
    const ColumnWise* op = layer.op->AsColumnWise(cols_);
    if (op == nullptr) return false;
    if (const auto* product = layer.As<Conv>()) {
      // Its part of an output would be stored by none (ConvPart).
      if (result.output_index >= 0 || result.base != kNoValue) return false;
      if (network_.value(product->x).Bytes() > limits_.image_bytes) return false;
    }
    return ReadsByPart(layer, first_, op->Matrices(cols_), uses_, network_);
  }

  // Under this name.
  bool IsMadeHere(ValueId id) const {
    const int32_t writer = uses_.writer[static_cast<size_t>(network_.RootOf(id).value)];
    return writer >= static_cast<int32_t>(first_) &&
           network_.layers[static_cast<size_t>(writer)].output == id &&
           ColumnsOf(network_.value(id)) == cols_;
  }

  const Network& network_;
  const ValueUses& uses_;
  ChainLimits limits_;
  size_t first_;
  size_t end_;
  int32_t cols_ = 0;
  int64_t elems_ = 0;
};

// Whether the chain goes on with what the region before makes for the two alone, as much as may stay:
// then it had better take it in the same steps.
bool GoesOnWith(const ColumnRegion& before, const Chain& chain, const Network& network,
                const ValueUses& uses, int64_t most_bytes) {
  if (chain.cols() != ColumnsOf(network.value(network.layers[before.first].output))) return false;
  const auto is_of_both = [&](int32_t reader) {
    const auto at = static_cast<size_t>(reader);
    return (at >= before.first && at <= before.last) || (at >= chain.first() && at < chain.end());
  };
  for (size_t at = chain.first(); at < chain.end(); ++at) {
    for (ValueId id : network.layers[at].Inputs()) {
      const ValueId root = network.RootOf(id).value;
      const int32_t writer = uses.writer[static_cast<size_t>(root)];
      const std::vector<int32_t>& readers = uses.readers[static_cast<size_t>(root)];
      if (writer >= static_cast<int32_t>(before.first) &&
          writer <= static_cast<int32_t>(before.last) &&
          ColumnsOf(network.value(root)) == chain.cols() &&
          network.value(root).Bytes() <= most_bytes &&
          std::all_of(readers.begin(), readers.end(), is_of_both))
        return true;
    }
  }
  return false;
}

// So many columns that a step's values stay; 0 if they do as a whole, or if those of no step would:
// then it is better to leave them whole.
int32_t ColumnsThatStay(const Chain& chain, const Hardware& hardware, int32_t unit) {
  const int64_t peak = chain.PeakBytes();
  if (peak <= hardware.scratchpad_bytes * kWholePercent / 100) return 0;
  const int64_t most = hardware.scratchpad_bytes * kStepPercent / 100;
  return static_cast<int32_t>(chain.cols() * most / peak / unit * unit);
}

// So many columns that most is hidden by one engine's work behind the other's; 0 if that is less
// than what the steps cost.
int32_t ColumnsSideBySide(const Chain& chain, const std::vector<LayerCycles>& cycles,
                          int32_t unit) {
  LayerCycles sum;
  for (size_t i = chain.first(); i < chain.end(); ++i) {
    sum.matrix += cycles[i].matrix;
    sum.vector += cycles[i].vector;
  }
  const auto layers = static_cast<double>(chain.end() - chain.first());
  const double less = std::min(sum.matrix, sum.vector);
  const int32_t units = (chain.cols() + unit - 1) / unit;
  int32_t best = 0;
  double most = 0;
  for (int32_t steps = 2; steps <= std::min(kMostSteps, units); ++steps) {
    // Of the engine that has less to do, all but one step's work is hidden behind the other; each
    // further step costs every layer kStepCycles.
    const double won = less * (steps - 1) / steps - kStepCycles * layers * (steps - 1);
    if (won <= most) continue;
    most = won;
    best = (units + steps - 1) / steps * unit;
  }
  return best;
}

}  // namespace

std::vector<ColumnRegion> ChooseColumns(const Network& network, const Hardware& hardware,
                                        const ColumnOptions& options) {
  const int64_t most_handed_on = hardware.scratchpad_bytes * kHandedOnPercent / 100;
  const int64_t handed_on_bytes = options.hand_on ? most_handed_on : 0;
  const ChainLimits limits = {hardware.scratchpad_bytes * kImagePercent / 100, handed_on_bytes,
                              most_handed_on};
  const ValueUses uses(network);
  const std::vector<LayerCycles> cycles = EstimateLayers(network, hardware);
  std::vector<ColumnRegion> regions;
  for (size_t first = 0; first < network.layers.size();) {
    const Chain chain(network, uses, first, limits);
    if (chain.empty()) {
      ++first;
      continue;
    }
    const auto unit = static_cast<int32_t>(
        chain.HasProduct() ? hardware.array_cols
                           : hardware.vector_lanes);  // a smaller part leaves lanes without work
    int32_t cols = ColumnsThatStay(chain, hardware, unit);
    if (cols == 0 && options.side_by_side) cols = ColumnsSideBySide(chain, cycles, unit);
    // Never wider than the chain itself would be: its step's values would not stay.
    if (!regions.empty() && (cols == 0 || cols >= regions.back().cols) &&
        GoesOnWith(regions.back(), chain, network, uses, handed_on_bytes)) {
      cols = regions.back().cols;
      regions.back().hands_on = true;
    }
    if (cols > 0 && cols < chain.cols())
      regions.push_back(
          {.first = first, .last = chain.end() - 1, .cols = cols, .copies = chain.HasCopied()});
    first = chain.end();
  }
  return regions;
}

}  // namespace acme::compiler
