// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kahn's algorithm over plain numbers.

#ifndef NPUKIT_SDK_HOST_MODEL_ORDER_TOPOLOGICAL_ORDER_H_
#define NPUKIT_SDK_HOST_MODEL_ORDER_TOPOLOGICAL_ORDER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace npukit {

struct TopologicalOrder {
  std::vector<uint32_t> nodes;    // without those of a cycle and those behind one
  std::optional<uint32_t> stuck;  // the lowest of these
};

// The nodes 0 to num_nodes - 1 with each behind those that have an edge to it, and otherwise the
// lowest first: nodes that are in order stay as they are. `for_each_successor(node, visit)` calls
// visit with each node to which `node` has an edge, as often as it has one, and the same each time.
template <typename ForEachSuccessor>
TopologicalOrder SortTopologically(uint32_t num_nodes, ForEachSuccessor&& for_each_successor) {
  std::vector<uint32_t> waits_for(
      num_nodes);  // by node: edges from nodes that are not in the order
  for (uint32_t node = 0; node < num_nodes; ++node)
    for_each_successor(node, [&](uint32_t next) { ++waits_for[next]; });
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < num_nodes; ++node) {
    if (waits_for[node] == 0) ready.push(node);
  }
  TopologicalOrder order;
  order.nodes.reserve(num_nodes);
  while (!ready.empty()) {
    const uint32_t node = ready.top();
    ready.pop();
    order.nodes.push_back(node);
    for_each_successor(node, [&](uint32_t next) {
      if (--waits_for[next] == 0) ready.push(next);
    });
  }
  for (uint32_t node = 0; node < num_nodes && !order.stuck; ++node) {
    if (waits_for[node] != 0) order.stuck = node;
  }
  return order;
}

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_ORDER_TOPOLOGICAL_ORDER_H_
