// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/network/value_uses.h"

namespace acme::compiler {

ValueLinks::ValueLinks(const Network& network)
    : writer(network.values.size(), -1), readers(network.values.size()) {
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto layer = static_cast<int32_t>(i);
    writer[static_cast<size_t>(network.layers[i].output)] = layer;
    for (ValueId id : network.layers[i].Inputs()) readers[static_cast<size_t>(id)].push_back(layer);
  }
}

ValueUses::ValueUses(const Network& network)
    : readers(network.values.size()),
      writer(network.values.size(), -1),
      shared(network.values.size()) {
  for (size_t i = 0; i < network.values.size(); ++i) {
    if (network.values[i].base == kNoValue) continue;
    shared[i] = true;
    shared[static_cast<size_t>(network.values[i].base)] = true;
  }
  for (size_t i = 0; i < network.layers.size(); ++i) {
    const auto layer = static_cast<int32_t>(i);
    for (ValueId id : network.layers[i].Inputs())
      readers[static_cast<size_t>(network.RootOf(id).value)].push_back(layer);
    writer[static_cast<size_t>(network.RootOf(network.layers[i].output).value)] = layer;
  }
}

bool ValueUses::AreLayersAlone(const Network& network, ValueId id) const {
  return network.value(id).output_index < 0 && !shared[static_cast<size_t>(id)] &&
         !readers[static_cast<size_t>(id)].empty();
}

int32_t ValueUses::WriterForOne(const Network& network, ValueId id) const {
  const auto at = static_cast<size_t>(id);
  if (id == kNoValue || !AreLayersAlone(network, id) || readers[at].size() != 1) return -1;
  return writer[at];
}

}  // namespace acme::compiler
