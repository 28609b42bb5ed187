// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/grouping/grouping.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace npukit {
namespace {

using ::testing::ElementsAre;

struct Graph {
  uint32_t nodes = 0;
  std::vector<OpDag::Edge> edges;
  std::vector<int32_t> colors;
  OpDag dag() const { return OpDag(nodes, edges); }
};

// -- Independent judges -------------------------------------------------------

// Draws nodes together by label (any numbers) and looks for a cycle, by plain
// repeated removal of what nothing leads to.
bool QuotientHasCycle(const Graph& graph, const std::vector<int>& label) {
  std::map<int, std::set<int>> successors;
  std::map<int, int> incoming;
  for (int l : label) incoming[l];
  for (const auto& [from, to] : graph.edges) {
    if (label[from] == label[to]) continue;
    if (successors[label[from]].insert(label[to]).second) ++incoming[label[to]];
  }
  std::vector<int> ready;
  for (const auto& [node, count] : incoming) {
    if (count == 0) ready.push_back(node);
  }
  size_t removed = 0;
  while (!ready.empty()) {
    const int node = ready.back();
    ready.pop_back();
    ++removed;
    for (int next : successors[node]) {
      if (--incoming[next] == 0) ready.push_back(next);
    }
  }
  return removed != incoming.size();
}

// A label per node: its group's number, or one of its own.
std::vector<int> LabelsOf(const Graph& graph, const Grouping& grouping) {
  std::vector<int> label(graph.nodes);
  for (uint32_t i = 0; i < graph.nodes; ++i) {
    label[i] = static_cast<int>(grouping.groups.size() + i);
  }
  for (size_t g = 0; g < grouping.groups.size(); ++g) {
    for (uint32_t op : grouping.groups[g].ops) label[op] = static_cast<int>(g);
  }
  return label;
}

void ExpectEachSelectedOpOnce(const Graph& graph, const Grouping& grouping) {
  std::vector<int> count(graph.nodes);
  for (const OpGroup& group : grouping.groups) {
    EXPECT_FALSE(group.ops.empty());
    EXPECT_TRUE(std::is_sorted(group.ops.begin(), group.ops.end()));
    for (uint32_t op : group.ops) {
      ++count[op];
      EXPECT_EQ(graph.colors[op], group.color);
    }
  }
  for (uint32_t op = 0; op < graph.nodes; ++op) {
    EXPECT_EQ(count[op], graph.colors[op] == kNoColor ? 0 : 1) << "op " << op;
  }
}

// The order runs everything once and nothing before what it reads.
void ExpectOrderRuns(const Graph& graph, const Grouping& grouping) {
  std::vector<int> when(graph.nodes, -1);
  size_t groups_seen = 0;
  for (size_t step = 0; step < grouping.order.size(); ++step) {
    const Grouping::Step& s = grouping.order[step];
    if (s.is_group) {
      EXPECT_EQ(s.index, groups_seen++) << "groups number themselves in order";
      for (uint32_t op : grouping.groups[s.index].ops) {
        when[op] = static_cast<int>(step);
      }
    } else {
      EXPECT_EQ(when[s.index], -1);
      when[s.index] = static_cast<int>(step);
    }
  }
  EXPECT_EQ(groups_seen, grouping.groups.size());
  EXPECT_EQ(std::count(when.begin(), when.end(), -1), 0);
  for (const auto& [from, to] : graph.edges) EXPECT_LE(when[from], when[to]);
}

void ExpectNoTwoMergeable(const Graph& graph, const Grouping& grouping) {
  const std::vector<int> label = LabelsOf(graph, grouping);
  EXPECT_FALSE(QuotientHasCycle(graph, label));
  for (size_t a = 0; a < grouping.groups.size(); ++a) {
    for (size_t b = a + 1; b < grouping.groups.size(); ++b) {
      if (grouping.groups[a].color != grouping.groups[b].color) continue;
      std::vector<int> merged = label;
      std::replace(merged.begin(), merged.end(), static_cast<int>(b), static_cast<int>(a));
      EXPECT_TRUE(QuotientHasCycle(graph, merged))
          << "groups " << a << " and " << b << " could be one";
    }
  }
}

// The smallest number of groups of any valid grouping, by trying all of them.
size_t FewestGroups(const Graph& graph) {
  std::vector<uint32_t> selected;
  for (uint32_t op = 0; op < graph.nodes; ++op) {
    if (graph.colors[op] != kNoColor) selected.push_back(op);
  }
  std::vector<int> label(graph.nodes);
  for (uint32_t i = 0; i < graph.nodes; ++i) label[i] = 1000 + static_cast<int>(i);
  std::vector<int32_t> color_of_group;
  size_t best = selected.size();
  const std::function<void(size_t)> place = [&](size_t next) {
    if (color_of_group.size() >= best && next < selected.size()) return;
    if (next == selected.size()) {
      if (color_of_group.size() < best && !QuotientHasCycle(graph, label)) {
        best = color_of_group.size();
      }
      return;
    }
    const uint32_t op = selected[next];
    for (size_t g = 0; g < color_of_group.size(); ++g) {
      if (color_of_group[g] != graph.colors[op]) continue;
      label[op] = static_cast<int>(g);
      place(next + 1);
    }
    label[op] = static_cast<int>(color_of_group.size());
    color_of_group.push_back(graph.colors[op]);
    place(next + 1);
    color_of_group.pop_back();
    label[op] = 1000 + static_cast<int>(op);
  };
  place(0);
  return best;
}

// Edges lead from lower to higher numbers of a random permutation, so that
// positions are not already an order that can be run.
Graph RandomGraph(std::mt19937& random, uint32_t max_nodes, int max_colors) {
  const auto below = [&](uint32_t n) { return random() % n; };
  Graph graph;
  graph.nodes = 1 + below(max_nodes);
  std::vector<uint32_t> shuffled(graph.nodes);
  for (uint32_t i = 0; i < graph.nodes; ++i) shuffled[i] = i;
  if (below(2) == 0) std::shuffle(shuffled.begin(), shuffled.end(), random);
  const uint32_t reach = 1 + below(graph.nodes);
  const uint32_t density = 1 + below(4);
  for (uint32_t to = 1; to < graph.nodes; ++to) {
    for (uint32_t i = 0; i < density; ++i) {
      if (below(3) == 0) continue;
      const uint32_t from = to - 1 - below(std::min(reach, to));
      graph.edges.emplace_back(shuffled[from], shuffled[to]);
    }
  }
  const uint32_t colors = 1 + below(static_cast<uint32_t>(max_colors));
  const uint32_t share = 1 + below(10);
  for (uint32_t i = 0; i < graph.nodes; ++i) {
    graph.colors.push_back(below(10) < share ? static_cast<int32_t>(below(colors)) : kNoColor);
  }
  return graph;
}

// -- Random graphs ------------------------------------------------------------

TEST(GroupOpsProperty, HoldsOn10000RandomGraphs) {
  std::mt19937 random(20260101);
  int several_groups = 0;
  int large_groups = 0;
  for (int i = 0; i < 10000; ++i) {
    const Graph graph = RandomGraph(random, 40, 4);
    SCOPED_TRACE(fmt::format("graph {}", i));
    const auto grouping = GroupOps(graph.dag(), graph.colors);
    ASSERT_TRUE(grouping) << grouping.Error().Message();
    ExpectEachSelectedOpOnce(graph, *grouping);
    ExpectOrderRuns(graph, *grouping);
    ExpectNoTwoMergeable(graph, *grouping);
    const auto again = GroupOps(graph.dag(), graph.colors);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *grouping);
    if (HasFailure()) break;
    several_groups += grouping->groups.size() > 2;
    large_groups += std::any_of(grouping->groups.begin(), grouping->groups.end(),
                                [](const OpGroup& group) { return group.ops.size() > 4; });
  }
  // The graphs are worth the name.
  EXPECT_GT(several_groups, 4000);
  EXPECT_GT(large_groups, 2000);
}

TEST(GroupOpsProperty, OneColorNeedsNoMoreGroupsThanAnyOtherGrouping) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Graph graph = RandomGraph(random, 8, 1);
    const auto grouping = GroupOps(graph.dag(), graph.colors);
    ASSERT_TRUE(grouping);
    ASSERT_EQ(grouping->groups.size(), FewestGroups(graph)) << "graph " << i;
  }
}

// Finding the fewest is NP-hard for several colors; this holds how far off we
// are. Exact: both sides are deterministic.
TEST(GroupOpsProperty, SeveralColorsStayNearTheFewestGroups) {
  std::mt19937 random(11);
  size_t ours = 0;
  size_t fewest = 0;
  for (int i = 0; i < 1000; ++i) {
    const Graph graph = RandomGraph(random, 8, 3);
    const auto grouping = GroupOps(graph.dag(), graph.colors);
    ASSERT_TRUE(grouping);
    ours += grouping->groups.size();
    fewest += FewestGroups(graph);
  }
  EXPECT_LE(ours * 100, fewest * 103) << ours << " against " << fewest;
}

// The judges can fail: groupings known to be wrong are found out.
TEST(GroupOpsProperty, JudgesSeeFaults) {
  const Graph chain = {3, {{0, 1}, {1, 2}}, {0, kNoColor, 0}};
  EXPECT_TRUE(QuotientHasCycle(chain, {0, 1, 0}));
  EXPECT_FALSE(QuotientHasCycle(chain, {0, 1, 2}));
  const Graph pair = {2, {{0, 1}}, {0, 0}};
  EXPECT_EQ(FewestGroups(pair), 1u);
  EXPECT_EQ(FewestGroups(chain), 2u);
}

// -- Named graphs -------------------------------------------------------------

struct Case {
  const char* name;
  Graph graph;
  std::vector<std::vector<uint32_t>> groups;
};

const int32_t N = kNoColor;

TEST(GroupOps, Cases) {
  const Case cases[] = {
      {"nothing selected", {3, {{0, 1}, {1, 2}}, {N, N, N}}, {}},
      {"whole chain", {3, {{0, 1}, {1, 2}}, {0, 0, 0}}, {{0, 1, 2}}},
      {"cut chain", {3, {{0, 1}, {1, 2}}, {0, N, 0}}, {{0}, {2}}},
      {"unselected op beside, not between", {3, {{0, 2}}, {0, N, 0}}, {{0, 2}}},
      {"diamond with one arm outside",
       {4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {0, 0, N, 0}},
       {{0, 1}, {3}}},
      {"unconnected ops join", {4, {{0, 1}, {2, 3}}, {0, 0, 0, 0}}, {{0, 1, 2, 3}}},
      {"two branches that both leave and return",
       {6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}}, {0, N, 0, 0, N, 0}},
       {{0, 3}, {2, 5}}},
      // 0 -> 1 and 2 -> 3, colors crosswise: each pair alone is convex, both
      // together would wait for each other.
      {"pairwise convex is not enough", {4, {{0, 1}, {2, 3}}, {0, 1, 1, 0}}, {{2}, {0, 3}, {1}}},
      {"colors apart", {4, {{0, 1}, {1, 2}, {2, 3}}, {0, 0, 1, 1}}, {{0, 1}, {2, 3}}},
  };
  for (const Case& test : cases) {
    const auto grouping = GroupOps(test.graph.dag(), test.graph.colors);
    ASSERT_TRUE(grouping) << test.name;
    std::vector<std::vector<uint32_t>> groups;
    for (const OpGroup& group : grouping->groups) groups.push_back(group.ops);
    EXPECT_EQ(groups, test.groups) << test.name << "\n" << ToString(*grouping);
  }
}

TEST(GroupOps, NeverMergedColorsStaySingle) {
  const Graph graph = {3, {{0, 1}, {1, 2}}, {1, 1, 0}};
  const int32_t single = 1;
  const auto grouping = GroupOps(graph.dag(), graph.colors, std::span(&single, 1));
  ASSERT_TRUE(grouping);
  EXPECT_EQ(ToString(*grouping),
            "partition 0 (color 1): 0\n"
            "partition 1 (color 1): 1\n"
            "partition 2 (color 0): 2\n");
}

TEST(GroupOps, CycleIsAnError) {
  const Graph graph = {3, {{0, 1}, {1, 2}, {2, 1}}, {0, 0, 0}};
  const auto grouping = GroupOps(graph.dag(), graph.colors);
  ASSERT_FALSE(grouping);
  EXPECT_THAT(grouping.Error().Message(), ::testing::HasSubstr("op 1"));
}

TEST(GroupOps, EmptyGraph) {
  const auto grouping = GroupOps(OpDag(), {});
  ASSERT_TRUE(grouping);
  EXPECT_THAT(grouping->order, ElementsAre());
}

}  // namespace
}  // namespace npukit
