// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/order/topological_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace npukit {
namespace {

TEST(TopologicalOrder, PutsEachNodeBehindItsPredecessorsAndElseLowestFirst) {
  const struct {
    const char* what;
    uint32_t num_nodes;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    std::vector<uint32_t> nodes;
    std::optional<uint32_t> stuck;
  } cases[] = {
      {"nothing", 0, {}, {}, {}},
      {"no edges", 4, {}, {0, 1, 2, 3}, {}},
      {"in order", 4, {{0, 2}, {1, 2}, {2, 3}}, {0, 1, 2, 3}, {}},
      {"backwards", 3, {{2, 1}, {1, 0}}, {2, 1, 0}, {}},
      {"one late", 4, {{3, 1}}, {0, 2, 3, 1}, {}},
      {"what becomes free goes before what is higher", 4, {{1, 0}}, {1, 0, 2, 3}, {}},
      {"an edge that stands twice", 3, {{2, 0}, {2, 0}}, {1, 2, 0}, {}},
      {"a diamond", 4, {{3, 1}, {3, 2}, {1, 0}, {2, 0}}, {3, 1, 2, 0}, {}},
      {"a cycle", 2, {{0, 1}, {1, 0}}, {}, 0},
      {"a node behind itself", 3, {{1, 1}}, {0, 2}, 1},
      {"behind a cycle", 5, {{3, 4}, {4, 3}, {4, 1}, {0, 3}}, {0, 2}, 1},
      {"a cycle with an edge that stands twice", 3, {{1, 2}, {1, 2}, {2, 1}}, {0}, 1},
  };
  for (const auto& c : cases) {
    const TopologicalOrder order = SortTopologically(c.num_nodes, [&](uint32_t node, auto visit) {
      for (const auto& [from, to] : c.edges) {
        if (from == node) visit(to);
      }
    });
    EXPECT_EQ(order.nodes, c.nodes) << c.what;
    EXPECT_EQ(order.stuck, c.stuck) << c.what;
  }
}

}  // namespace
}  // namespace npukit
