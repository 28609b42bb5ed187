// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/strips.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/move.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

class Splitter {
 public:
  Splitter(const Network& network, std::span<const StripRegion> regions, int64_t large_bytes)
      : network_(network),
        regions_(regions),
        large_bytes_(large_bytes),
        uses_(network),
        result_(network) {}

  Strips Run() {
    result_.layers.clear();
    ReplaceRegions(network_.layers, regions_, result_.layers,
                   [this](const StripRegion& region) { AddRegion(region); });
    return {std::move(result_), has_results_beside_};
  }

 private:
  void AddRegion(const StripRegion& region) {
    const RegionRows rows(network_, uses_, region.first, region.last, large_bytes_);
    // By layer of the region: the rows of its result that there are.
    std::vector<HeldRows> held(rows.size());
    std::vector<int32_t> before(rows.size());
    // `needed`: the first rows that this step and later ones still read. They are copied along from
    // step to step, so that of each layer only the last value is read.
    for (int32_t step = 1; step <= region.steps; ++step) {
      const std::vector<int32_t> after = rows.Done(step, region.steps);
      const std::vector<int32_t> needed = rows.FirstNeeded(before);
      for (size_t i = 0; i < rows.size(); ++i) {
        if (after[i] == before[i]) continue;
        const Layer& layer = network_.layers[region.first + i];
        const RowRange computed{before[i], after[i]};
        ValueId part = kNoValue;
        if (rows.is_held(i)) {
          part = BeginRows(layer, static_cast<int32_t>(region.first),
                           {std::min(needed[i], before[i]), after[i]}, computed, held[i]);
        } else {
          part = AddPart(layer.output, layer.output, {0, 0}, computed);
        }
        AddLayer(layer, region, computed, part, held);
        if (rows.is_held(i) && !rows.is_inner(i)) AddWhole(layer, region, computed, part);
      }
      before = after;
    }
  }

  void AddLayer(const Layer& whole, const StripRegion& region, const RowRange& rows, ValueId part,
                std::span<const HeldRows> held) {
    Layer layer = whole;
    std::vector<HeldRows> there;
    for (const HeldRows& image : held) {
      if (image.value != kNoValue) there.push_back(image);
    }
    layer.op = whole.op->AsRowWise()->Rows(rows, there);
    layer.output = part;
    layer.strips = static_cast<int32_t>(region.first);
    result_.layers.push_back(std::move(layer));
  }

  // Rows that are held are written to the result, too.
  void AddWhole(const Layer& whole, const StripRegion& region, const RowRange& rows, ValueId part) {
    has_results_beside_ = true;
    auto copy = std::make_shared<Move>();
    const auto elems = static_cast<int32_t>(result_.value(part).Elems());
    copy->pieces.push_back({.from = part, .dims = {{elems, 1, 1}}});
    Layer layer = whole;
    layer.op = std::move(copy);
    layer.output = AddPart(whole.output, whole.output, {0, 0}, rows);
    layer.strips = static_cast<int32_t>(region.first);
    result_.layers.push_back(std::move(layer));
  }

  // A value for rows `all`, of which `computed` are yet to be computed and the others stand in
  // `held`. Where the former go.
  ValueId BeginRows(const Layer& layer, int32_t strips, const RowRange& all,
                    const RowRange& computed, HeldRows& held) {
    const ValueId id = AddValue(layer.output, all);
    const HeldRows now{layer.output, id, all};
    if (computed.begin > all.begin) {
      auto copy = std::make_shared<Move>();
      const int64_t row_elems =
          network_.value(layer.output).Elems() / network_.value(layer.output).shape[kRowDimension];
      const int64_t rows = computed.begin - all.begin;
      copy->pieces.push_back({.from = held.value,
                              .from_base_elems = (all.begin - held.rows.begin) * row_elems,
                              .dims = {{static_cast<int32_t>(rows * row_elems), 1, 1}}});
      Layer head = layer;
      head.op = std::move(copy);
      head.output = AddPart(id, layer.output, all, {all.begin, computed.begin});
      head.strips = strips;
      result_.layers.push_back(std::move(head));
    }
    held = now;
    if (computed == all) return id;
    return AddPart(id, layer.output, all, computed);
  }

  ValueId AddValue(ValueId whole, const RowRange& rows) {
    Value value = network_.value(whole);
    value.shape[kRowDimension] = rows.size();
    value.output_index = -1;
    value.base = kNoValue;
    value.base_offset_bytes = 0;
    result_.values.push_back(std::move(value));
    return static_cast<ValueId>(result_.values.size()) - 1;
  }

  // Some rows of `base`, which holds rows from `held.begin` on of the value `whole`.
  ValueId AddPart(ValueId base, ValueId whole, const RowRange& held, const RowRange& rows) {
    const ValueId id = AddValue(whole, rows);
    Value& value = result_.values[static_cast<size_t>(id)];
    value.base = base;
    value.base_offset_bytes = (rows.begin - held.begin) * RowBytes(network_.value(whole));
    return id;
  }

  const Network& network_;
  std::span<const StripRegion> regions_;
  int64_t large_bytes_;
  ValueUses uses_;
  Network result_;
  bool has_results_beside_ = false;
};

}  // namespace

Strips SplitIntoStrips(const Network& network, std::span<const StripRegion> regions,
                       int64_t large_bytes) {
  return Splitter(network, regions, large_bytes).Run();
}

}  // namespace acme::compiler
