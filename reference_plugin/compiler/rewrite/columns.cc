// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/columns.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "reference_plugin/compiler/lower/products/conv.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/rewrite/layer_cycles.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Of the scratchpad: values of a chain that live at a time and together have less stay whole; and
// what those of one step may have.
constexpr int64_t kWholePercent = 40;
constexpr int64_t kStepPercent = 10;
// What a product among the layers reads: a larger one would come again for each step.
constexpr int64_t kImagePercent = 15;
// What one chain hands on to another: of more, most would not stay.
constexpr int64_t kHandedOnPercent = 60;
// Of chains whose values stay.
constexpr int32_t kMostSteps = 8;
constexpr size_t kMostLayers = 48;  // of a chain: looking at all keeps the time linear in layers
// Ids of chains lie apart from those of strips (strips.h), which are indices of layers.
constexpr int32_t kFirstId = 1 << 30;

// Columns of a matrix; 0 for what is none.
int32_t ColumnsOf(const Value& value) { return value.shape.empty() ? 0 : value.shape.back(); }

// A layer that looks for the largest or the smallest of each row of so many columns: it can look
// through some at a time, and then through what it found.
const Reduce* ExtremeOfRows(const Layer& layer, int32_t cols) {
  const auto* reduce = layer.As<Reduce>();
  if (reduce == nullptr || reduce->in != reduce->out || reduce->dims.size() != 2) return nullptr;
  const bool extreme = reduce->op == ReduceOp::kMax || reduce->op == ReduceOp::kMin ||
                       reduce->op == ReduceOp::kMaxMagnitude;
  return extreme && !reduce->place && reduce->dims[0] == ReduceDimension{cols, true} ? reduce
                                                                                     : nullptr;
}

class Chain {
 public:
  // A product may be among its layers if it reads no more than `image_bytes`, a search for the
  // largest of rows if no more than `handed_on_bytes`.
  Chain(const Network& network, const ValueUses& uses, size_t first, int64_t image_bytes,
        int64_t handed_on_bytes)
      : network_(network),
        uses_(uses),
        image_bytes_(image_bytes),
        handed_on_bytes_(handed_on_bytes),
        first_(first),
        end_(first) {
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
      return IsMadeHere(reduce->x) && network_.value(reduce->x).Bytes() <= handed_on_bytes_;
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
      if (network_.value(product->x).Bytes() > image_bytes_) return false;
    }
    return ReadsByPart(layer, first_, op->Matrices(cols_), uses_, network_);
  }

  // Under this name.
  bool IsMadeHere(ValueId id) const {
    const int32_t producer = uses_.producer[static_cast<size_t>(network_.RootOf(id).value)];
    return producer >= static_cast<int32_t>(first_) &&
           network_.layers[static_cast<size_t>(producer)].output == id &&
           ColumnsOf(network_.value(id)) == cols_;
  }

  const Network& network_;
  const ValueUses& uses_;
  int64_t image_bytes_;
  int64_t handed_on_bytes_;
  size_t first_;
  size_t end_;
  int32_t cols_ = 0;
  int64_t elems_ = 0;
};

class Splitter {
 public:
  Splitter(const Network& network, const std::vector<ColumnRegion>& regions)
      : network_(network),
        regions_(regions),
        uses_(network),
        result_(network),
        region_of_(network.layers.size()) {
    for (const ColumnRegion& region : regions) {
      for (size_t i = region.first; i <= region.last; ++i) region_of_[i] = &region;
    }
  }

  Network Run() {
    result_.layers.clear();
    ReplaceRegions(network_.layers, regions_, result_.layers,
                   [this](const ColumnRegion& region) { AddRegion(region); });
    return std::move(result_);
  }

 private:
  int32_t ColsOf(const ColumnRegion& region) const {
    return ColumnsOf(network_.value(network_.layers[region.first].output));
  }

  // Whether only steps need the layer's result that have the columns of its own, of whichever
  // region.
  bool IsHeld(size_t layer, const ColumnRegion& region) const {
    const ValueId id = network_.layers[layer].output;
    if (!uses_.AreLayersAlone(network_, id)) return false;
    const std::vector<int32_t>& readers = uses_.readers[static_cast<size_t>(id)];
    const int32_t cols = ColsOf(region);
    return std::all_of(readers.begin(), readers.end(), [&](int32_t at) {
      const auto reader = static_cast<size_t>(at);
      const ColumnRegion* its = region_of_[reader];
      if (its == nullptr || its->cols != region.cols || ColsOf(*its) != cols) return false;
      if (its != &region && !region.hands_on) return false;
      if (ExtremeOfRows(network_.layers[reader], cols) != nullptr) return its == &region;
      const std::vector<ValueId> read =
          network_.layers[reader].op->AsColumnWise(cols)->Matrices(cols);
      return std::find(read.begin(), read.end(), id) != read.end();
    });
  }

  void AddRegion(const ColumnRegion& region) {
    const int32_t cols = ColsOf(region);
    const int32_t steps = (cols + region.cols - 1) / region.cols;
    std::map<size_t, ValueId> found;  // by layer: what each step has found of each row
    for (int32_t step = 0; step < steps; ++step) {
      const int32_t begin = step * region.cols;
      ColumnPart part{cols, begin, std::min(cols, begin + region.cols)};
      for (size_t i = region.first; i <= region.last; ++i) {
        if (const Reduce* reduce = ExtremeOfRows(network_.layers[i], cols)) {
          if (step == 0) found[i] = AddFound(network_.layers[i], steps);
          AddExtreme(i, *reduce, part, found[i], step, region);
          continue;
        }
        part.alone = IsHeld(i, region);
        AddPartOf(i, part, step, region);
      }
    }
    for (const auto& [layer, value] : found) AddLastExtreme(layer, value, steps, region);
  }

  void AddPartOf(size_t index, const ColumnPart& part, int32_t step, const ColumnRegion& region) {
    const Layer& whole = network_.layers[index];
    std::vector<HeldColumns> held;
    for (ValueId id : whole.Inputs()) {
      if (const ValueId there = Held(id, step); there != kNoValue) held.push_back({id, there});
    }
    const ValueId id = AddPart(whole.output, part);
    AddLayer(whole, whole.op->AsColumnWise(part.all)->Columns(part, held), id, region);
    if (part.alone) held_[whole.output].push_back(id);
  }

  ValueId Held(ValueId id, int32_t step) const {
    const auto parts = held_.find(id);
    return parts == held_.end() ? kNoValue : parts->second[static_cast<size_t>(step)];
  }

  // A row for each step, so that what a step finds is one piece of memory.
  ValueId AddFound(const Layer& layer, int32_t steps) {
    Value value = network_.value(layer.output);
    value.shape = {steps, static_cast<int32_t>(value.Elems())};
    value.output_index = -1;
    value.base = kNoValue;
    value.base_offset_bytes = 0;
    result_.values.push_back(std::move(value));
    return static_cast<ValueId>(result_.values.size()) - 1;
  }

  void AddExtreme(size_t index, const Reduce& reduce, const ColumnPart& part, ValueId found,
                  int32_t step, const ColumnRegion& region) {
    auto some = std::make_shared<Reduce>(reduce);
    some->dims[0].extent = part.size();
    const ValueId held = Held(reduce.x, step);
    if (held != kNoValue) {
      some->x = held;
    } else {
      some->x_base_elems = part.begin;
      some->x_pitch = part.all;
    }
    Value value = result_.value(found);
    const int64_t bytes = value.Bytes() / value.shape[0];
    value.shape.erase(value.shape.begin());
    value.base = found;
    value.base_offset_bytes = step * bytes;
    result_.values.push_back(std::move(value));
    AddLayer(network_.layers[index], std::move(some),
             static_cast<ValueId>(result_.values.size()) - 1, region);
  }

  // Of what the steps have found.
  void AddLastExtreme(size_t index, ValueId found, int32_t steps, const ColumnRegion& region) {
    const Layer& whole = network_.layers[index];
    auto last = std::make_shared<Reduce>(*whole.As<Reduce>());
    // What was found are magnitudes already.
    if (last->op == ReduceOp::kMaxMagnitude) last->op = ReduceOp::kMax;
    last->x = found;
    last->dims = {{last->dims[1].extent, false}, {steps, true}};
    AddLayer(whole, std::move(last), whole.output, region);
  }

  void AddLayer(const Layer& whole, std::shared_ptr<const LayerOp> op, ValueId output,
                const ColumnRegion& region) {
    Layer layer = whole;
    layer.op = std::move(op);
    layer.output = output;
    layer.strips = kFirstId + static_cast<int32_t>(region.first);
    result_.layers.push_back(std::move(layer));
  }

  ValueId AddPart(ValueId whole, const ColumnPart& part) {
    Value value = network_.value(whole);
    value.shape.back() = part.size();
    value.output_index = -1;
    if (!part.alone) {
      value.base = whole;
      value.base_offset_bytes = int64_t{part.begin} * SizeBytes(value.dtype);
    }
    result_.values.push_back(std::move(value));
    return static_cast<ValueId>(result_.values.size()) - 1;
  }

  const Network& network_;
  const std::vector<ColumnRegion>& regions_;
  ValueUses uses_;
  Network result_;
  std::vector<const ColumnRegion*> region_of_;    // by layer
  std::map<ValueId, std::vector<ValueId>> held_;  // by step
};

// Whether the chain goes on with what the region before makes, as much as may stay: then it had better
// take it in the same steps.
bool GoesOnWith(const ColumnRegion& before, const Chain& chain, const Network& network,
                const ValueUses& uses, int64_t most_bytes) {
  if (chain.cols() != ColumnsOf(network.value(network.layers[before.first].output))) return false;
  for (size_t at = chain.first(); at < chain.end(); ++at) {
    for (ValueId id : network.layers[at].Inputs()) {
      const ValueId root = network.RootOf(id).value;
      const int32_t producer = uses.producer[static_cast<size_t>(root)];
      if (producer >= static_cast<int32_t>(before.first) &&
          producer <= static_cast<int32_t>(before.last) &&
          network.value(root).Bytes() <= most_bytes)
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

bool HasColumns(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(),
                     [](const Layer& layer) { return layer.strips >= kFirstId; });
}

std::vector<ColumnRegion> ChooseColumns(const Network& network, const Hardware& hardware,
                                        const ColumnOptions& options) {
  const int64_t handed_on_bytes =
      options.hand_on ? hardware.scratchpad_bytes * kHandedOnPercent / 100 : 0;
  const ValueUses uses(network);
  const std::vector<LayerCycles> cycles = EstimateLayers(network, hardware);
  std::vector<ColumnRegion> regions;
  for (size_t first = 0; first < network.layers.size();) {
    const Chain chain(network, uses, first, hardware.scratchpad_bytes * kImagePercent / 100,
                      handed_on_bytes);
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
    if (cols > 0 && cols < chain.cols()) regions.push_back({first, chain.end() - 1, cols});
    first = chain.end();
  }
  return regions;
}

Network SplitIntoColumns(const Network& network, const std::vector<ColumnRegion>& regions) {
  return Splitter(network, regions).Run();
}

}  // namespace acme::compiler
