// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A region is a run of layers that are computed together, some rows at a time: all of them for some
// rows, then for the next. Which rows of which result that takes follows from the layers alone.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_ROWS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/network/network.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "simulator/hw/hardware.h"

namespace acme::compiler {

inline constexpr size_t kRowDimension = 1;  // of [batches, rows, columns, channels]

// Values of more bytes are not kept whole if some of their rows will do at a time.
int64_t LargeValueBytes(const Hardware& hardware);

// Whether a layer can be part of one.
bool CanBeInRegion(const Layer& layer, const Network& network);

inline int64_t RowBytes(const Value& value) { return value.Bytes() / value.shape[kRowDimension]; }

// Whether what layers [first, ...) make of a layer's operands comes to it under its own name, as one of
// `parts`: operands of which some rows, or columns, are enough at a time.
bool ReadsByPart(const Layer& layer, size_t first, const std::vector<ValueId>& parts,
                 const ValueUses& uses, const Network& network);

// Appends the layers; in the place of each region, a run [first, last] of them in order, what
// `add_region` appends.
template <class Regions, class AddRegion>
void ReplaceRegions(const std::vector<Layer>& layers, const Regions& regions,
                    std::vector<Layer>& to, AddRegion add_region) {
  size_t next = 0;
  for (const auto& region : regions) {
    for (; next < region.first; ++next) to.push_back(layers[next]);
    add_region(region);
    next = region.last + 1;
  }
  for (; next < layers.size(); ++next) to.push_back(layers[next]);
}

// Whether a layer can follow layers [first, layer) of a region: what they make it reads by rows.
bool CanJoin(size_t layer, size_t first, const ValueUses& uses, const Network& network);

class RegionRows {
 public:
  // Layers [first, last] of the network.
  RegionRows(const Network& network, const ValueUses& uses, size_t first, size_t last,
             int64_t large_bytes);

  size_t size() const { return rows_.size(); }
  // Whether only layers of the region need the result of layer `i` (from the region's first), so
  // that some rows of it are enough at a time.
  bool is_inner(size_t i) const { return inner_[i]; }
  // Whether rows of it stand in the scratchpad for layers of the region: of an inner result no others do, while a
  // large one that is needed as a whole, too, is written beside.
  bool is_held(size_t i) const { return inner_[i] || beside_[i]; }
  // Rows [0, done) of each layer's result that are computed when so many of `steps` steps are over.
  std::vector<int32_t> Done(int32_t step, int32_t steps) const;
  // The first row of each layer's result that later rows than `done` depend on.
  std::vector<int32_t> FirstNeeded(const std::vector<int32_t>& done) const;
  // The layers whose results layer `i` is the last of the region to read.
  const std::vector<size_t>& LastReadBy(size_t i) const { return last_read_by_[i]; }
  // The most steps that make sense: one a row.
  int32_t MostSteps() const { return most_steps_; }

 private:
  const RowWise& op(size_t i) const { return *network_.layers[first_ + i].op->AsRowWise(); }

  const Network& network_;
  size_t first_;
  std::vector<int32_t> rows_;  // of each result
  // An image of a layer's, and the layer of the region that makes it.
  struct Made {
    ValueId image;
    size_t by;
  };
  std::vector<std::vector<Made>> made_;  // of each layer's images, within the region
  std::vector<std::vector<size_t>> last_read_by_;
  std::vector<bool> inner_;
  std::vector<bool> beside_;
  std::vector<bool> has_reader_;  // within the region
  std::vector<int32_t> all_;      // done when all steps are
  int32_t most_steps_ = 1;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_REWRITE_REGION_ROWS_H_
