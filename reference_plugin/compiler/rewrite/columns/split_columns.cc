// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/lower/reduction/reduce.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/columns/columns.h"
#include "reference_plugin/compiler/rewrite/columns/matrix_columns.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Ids of chains lie apart from those of strips (strips.h), which are indices of layers.
constexpr int32_t kFirstId = 1 << 30;

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
      copied_.clear();
      for (size_t i = region.first; i <= region.last; ++i) {
        if (const Reduce* reduce = ExtremeOfRows(network_.layers[i], cols)) {
          if (step == 0) found[i] = AddFound(network_.layers[i], steps);
          AddExtreme(i, *reduce, part, found[i], step, region);
          continue;
        }
        const bool held = IsHeld(i, region);
        const bool copied = !held && region.copies && IsSearched(i, region);
        part.alone = held || copied;
        const ValueId id = AddPartOf(i, part, step, region);
        if (held) held_[network_.layers[i].output].push_back(id);
        if (copied) AddCopy(i, id, part, region);
      }
    }
    for (const auto& [layer, value] : found) AddLastExtreme(layer, value, steps, region);
  }

  // Whether the region looks for the largest of the rows of the layer's result.
  bool IsSearched(size_t layer, const ColumnRegion& region) const {
    for (size_t i = region.first; i <= region.last; ++i) {
      const Reduce* reduce = ExtremeOfRows(network_.layers[i], ColsOf(region));
      if (reduce != nullptr && reduce->x == network_.layers[layer].output) return true;
    }
    return false;
  }

  ValueId AddPartOf(size_t index, const ColumnPart& part, int32_t step,
                    const ColumnRegion& region) {
    const Layer& whole = network_.layers[index];
    std::vector<HeldColumns> held;
    for (ValueId id : whole.Inputs()) {
      if (const ValueId there = Held(id, step); there != kNoValue) held.push_back({id, there});
    }
    const ValueId id = AddPart(whole.output, part);
    AddLayer(whole, whole.op->AsColumnWise(part.all)->Columns(part, held), id, region);
    return id;
  }

  // Of what is there alone, to its place among the whole; this step goes on with what is there.
  void AddCopy(size_t index, ValueId from, ColumnPart part, const ColumnRegion& region) {
    const Layer& whole = network_.layers[index];
    const int64_t rows = network_.value(whole.output).Elems() / part.all;
    auto copy = std::make_shared<Move>();
    copy->pieces = {
        {.from = from,
         .dims = {{part.size(), 1, 1}, {static_cast<int32_t>(rows), part.size(), part.all}}}};
    part.alone = false;
    AddLayer(whole, std::move(copy), AddPart(whole.output, part), region);
    copied_[whole.output] = from;
  }

  ValueId Held(ValueId id, int32_t step) const {
    if (const auto copied = copied_.find(id); copied != copied_.end()) return copied->second;
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
  std::map<ValueId, ValueId> copied_;             // of the step at hand
};

}  // namespace

bool HasColumns(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(),
                     [](const Layer& layer) { return layer.strips >= kFirstId; });
}

Network SplitIntoColumns(const Network& network, const std::vector<ColumnRegion>& regions) {
  return Splitter(network, regions).Run();
}

}  // namespace acme::compiler
