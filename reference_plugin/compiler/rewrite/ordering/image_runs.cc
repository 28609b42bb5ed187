// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/ordering/image_runs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference_plugin/compiler/rewrite/region_rows.h"

namespace acme::compiler {
namespace {

// Of a result that waits in the scratchpad meanwhile.
constexpr int64_t kSmallBytes = 4096;
// So far ahead a reader is looked for.
constexpr size_t kMostBetween = 16;

class Orderer {
 public:
  explicit Orderer(Network& network) : network_(network), place_(network.values.size(), -1) {}

  void Run() {
    size_t run = 0;  // layers [run, i) can be in a region
    for (size_t i = 0; i < network_.layers.size(); ++i) {
      SetPlace(i);
      if (CanBeInRegion(network_.layers[i], network_)) continue;
      // Not before the run: only its layers are to stand together.
      const size_t to = std::max(run, AfterOperands(i));
      if (to < i && IsSmall(i) && IsReadBehind(to, i)) {
        const auto begin = network_.layers.begin();
        std::rotate(begin + static_cast<int64_t>(to), begin + static_cast<int64_t>(i),
                    begin + static_cast<int64_t>(i) + 1);
        for (size_t moved = to; moved <= i; ++moved) SetPlace(moved);
        run = to + 1;
      } else {
        run = i + 1;
      }
    }
  }

 private:
  int32_t& PlaceOf(ValueId id) { return place_[static_cast<size_t>(network_.RootOf(id).value)]; }
  void SetPlace(size_t layer) {
    PlaceOf(network_.layers[layer].output) = static_cast<int32_t>(layer);
  }

  size_t AfterOperands(size_t layer) {
    int32_t end = 0;
    for (ValueId id : network_.layers[layer].Inputs()) end = std::max(end, PlaceOf(id) + 1);
    return static_cast<size_t>(end);
  }

  // Layers that write over an input's buffer keep their place, and what they write is not small.
  bool IsSmall(size_t layer) const {
    const Layer& small = network_.layers[layer];
    return network_.value(network_.RootOf(small.output).value).Bytes() <= kSmallBytes &&
           small.op->ValuesInDram(small.output).empty();
  }

  // Whether a layer behind `layer` reads by rows what layers [first, layer) make.
  bool IsReadBehind(size_t first, size_t layer) const {
    const size_t end = std::min(network_.layers.size(), layer + kMostBetween);
    for (size_t i = layer + 1; i < end; ++i) {
      const Layer& reader = network_.layers[i];
      if (!CanBeInRegion(reader, network_)) continue;
      const std::vector<ValueId> images = reader.op->AsRowWise()->Images();
      for (size_t made = first; made < layer; ++made) {
        if (std::find(images.begin(), images.end(), network_.layers[made].output) != images.end())
          return true;
      }
    }
    return false;
  }

  Network& network_;
  std::vector<int32_t> place_;  // by storage: the last layer so far that writes it
};

}  // namespace

void JoinImageRuns(Network& network) { Orderer(network).Run(); }

}  // namespace acme::compiler
