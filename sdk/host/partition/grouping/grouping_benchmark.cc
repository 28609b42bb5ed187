// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Grouping must be linear in ops: the time per op (items_per_second) stays the
// same from 10^3 to 10^5 ops.

#include <benchmark/benchmark.h>

#include "sdk/host/partition/grouping/grouping.h"

namespace npukit {
namespace {

struct Graph {
  std::vector<OpDag::Edge> edges;
  std::vector<int32_t> colors;
};

// A chain in which every eighth op is left out.
Graph Chain(uint32_t ops) {
  Graph graph;
  for (uint32_t i = 0; i + 1 < ops; ++i) graph.edges.emplace_back(i, i + 1);
  for (uint32_t i = 0; i < ops; ++i) {
    graph.colors.push_back(i % 8 == 7 ? kNoColor : 0);
  }
  return graph;
}

// Diamonds of four ops one after the other; one arm of each is left out.
Graph Diamonds(uint32_t ops) {
  Graph graph;
  for (uint32_t i = 0; i + 3 < ops; i += 4) {
    graph.edges.emplace_back(i, i + 1);
    graph.edges.emplace_back(i, i + 2);
    graph.edges.emplace_back(i + 1, i + 3);
    graph.edges.emplace_back(i + 2, i + 3);
    if (i + 4 < ops) graph.edges.emplace_back(i + 3, i + 4);
  }
  for (uint32_t i = 0; i < ops; ++i) {
    graph.colors.push_back(i % 4 == 2 ? kNoColor : 0);
  }
  return graph;
}

// One op read by all others: many edges from one node.
Graph Fan(uint32_t ops) {
  Graph graph;
  for (uint32_t i = 1; i < ops; ++i) graph.edges.emplace_back(0, i);
  graph.colors.assign(ops, 0);
  return graph;
}

// A chain whose color changes every hundred ops.
Graph ManyColors(uint32_t ops) {
  Graph graph = Chain(ops);
  for (uint32_t i = 0; i < ops; ++i) {
    if (graph.colors[i] != kNoColor) {
      graph.colors[i] = static_cast<int32_t>(i / 100);
    }
  }
  return graph;
}

void Group(benchmark::State& state, Graph (*make)(uint32_t)) {
  const auto ops = static_cast<uint32_t>(state.range(0));
  const Graph graph = make(ops);
  const OpDag dag(ops, graph.edges);
  for (auto _ : state) {
    auto grouping = GroupOps(dag, graph.colors);
    benchmark::DoNotOptimize(grouping);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * ops);
  state.SetComplexityN(ops);
}

BENCHMARK_CAPTURE(Group, chain, Chain)->RangeMultiplier(10)->Range(1000, 100000)->Complexity();
BENCHMARK_CAPTURE(Group, diamonds, Diamonds)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Complexity();
BENCHMARK_CAPTURE(Group, fan, Fan)->RangeMultiplier(10)->Range(1000, 100000)->Complexity();
BENCHMARK_CAPTURE(Group, many_colors, ManyColors)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Complexity();

}  // namespace
}  // namespace npukit
