// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/rewrite/movement/join_resamplings.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/lower/movement/resize.h"
#include "reference_plugin/compiler/network/erase_layers.h"
#include "reference_plugin/compiler/network/value_uses.h"
#include "reference_plugin/compiler/rewrite/movement/conversion_pass.h"

namespace acme::compiler {
namespace {

// What the second samples of the first's result is a sample of the first's operand.
std::vector<ResizeSample> Through(const std::vector<ResizeSample>& first,
                                  std::vector<ResizeSample> second) {
  for (ResizeSample& sample : second) sample = first[static_cast<size_t>(sample.lo)];
  return second;
}

bool CanFollow(const Resize& second, const Resize& first) {
  return second.batches == first.batches && second.channels == first.channels &&
         second.dtype == first.dtype && std::cmp_equal(second.in_h, first.rows.size()) &&
         std::cmp_equal(second.in_w, first.cols.size());
}

}  // namespace

void JoinResamplings(Network& network) {
  const ValueLinks links(network);
  std::vector<bool> gone(network.layers.size());
  for (Layer& layer : network.layers) {
    const Resize* second = AsNearest(layer);
    if (second == nullptr) continue;
    const auto between = static_cast<size_t>(second->x);
    if (links.writer[between] < 0 || links.readers[between].size() != 1 ||
        network.values[between].output_index >= 0)
      continue;
    const auto at = static_cast<size_t>(links.writer[between]);
    const Resize* first = AsNearest(network.layers[at]);
    if (first == nullptr || !CanFollow(*second, *first)) continue;
    auto joined = std::make_shared<Resize>(*first);
    joined->rows = Through(first->rows, second->rows);
    joined->cols = Through(first->cols, second->cols);
    layer.op = std::move(joined);
    gone[at] = true;
  }
  EraseLayers(gone, network);
}

}  // namespace acme::compiler
