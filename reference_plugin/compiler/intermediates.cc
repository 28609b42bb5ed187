// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/intermediates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>

#include "reference_plugin/compiler/compile.h"
#include "reference_plugin/compiler/legalize/legalize.h"

namespace acme::compiler {
namespace {

// The layers whose values are ops' first outputs, in order.
std::vector<size_t> ResultsOfOps(const Network& network) {
  std::vector<size_t> results;
  std::unordered_set<int32_t> seen;
  for (size_t i = network.layers.size(); i-- > 0;) {
    const Layer& layer = network.layers[i];
    if (layer.is_result && seen.insert(layer.source_op).second) results.push_back(i);
  }
  std::reverse(results.begin(), results.end());
  return results;
}

}  // namespace

void AddIntermediateEntries(const std::vector<bool>& keep, std::vector<Network>& networks) {
  const size_t count = networks.size();
  size_t handle = 1;
  for (size_t i = 0; i < count; ++i) {
    const Network network = networks[i];
    // As NumberHandles (compile.cc) will number them: twins stand behind all networks, and so
    // change nobody's handle.
    const size_t first_handle = handle;
    handle += network.layers.size();
    if (!keep[i]) continue;
    const std::vector<size_t> layers = ResultsOfOps(network);
    const std::string name = network.name + "#intermediates";
    Network twin = network;
    twin.name = name;
    for (int number = 2; const size_t l : layers) {
      // A twin that has no value of its own yet is not full: another would have no more room.
      if (twin.inputs.size() + twin.outputs.size() >= MaxBindings() &&
          twin.outputs.size() > network.outputs.size()) {
        networks.push_back(std::exchange(twin, network));
        twin.name = fmt::format("{}{}", name, number++);
      }
      const ValueId id = twin.layers[l].output;
      Value& value = twin.values[static_cast<size_t>(id)];
      value.name = fmt::format("{}|{}|{}", first_handle + l, DtypeName(value.dtype),
                               fmt::join(value.shape, ","));
      if (value.output_index >= 0) continue;
      value.output_index = static_cast<int32_t>(twin.outputs.size());
      twin.outputs.push_back(id);
    }
    networks.push_back(std::move(twin));
  }
}

}  // namespace acme::compiler
