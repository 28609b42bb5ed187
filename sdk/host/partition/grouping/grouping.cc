// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/grouping/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

namespace npukit {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

// The graph while groups are drawn together, as a sequence in which each node
// stands after all that it depends on. A node is named by its first op.
class Contraction {
 public:
  Contraction(const OpDag& dag, std::vector<uint32_t> order)
      : dag_(dag),
        sequence_(std::move(order)),
        place_(dag.node_count()),
        node_of_op_(dag.node_count()),
        members_(dag.node_count()),
        level_(dag.node_count()) {
    for (uint32_t i = 0; i < sequence_.size(); ++i) place_[sequence_[i]] = i;
    for (uint32_t op = 0; op < dag.node_count(); ++op) node_of_op_[op] = op;
  }

  // Draws together what can be of `ops`, which are single nodes still. An op's
  // level is the largest number of times that a path to it leaves `ops`; ops of
  // one level form one group.
  void MergeByLevel(std::span<const uint32_t> ops, std::span<const int32_t> colors) {
    if (ops.size() < 2) return;
    const int32_t color = colors[ops.front()];
    const auto [first, last] = PlacesOf(ops);
    const uint32_t level_count = AssignLevels(first, last, color, colors);
    Rearrange(first, last, color, colors, level_count);
  }

  // Ascending ops of a node.
  std::vector<uint32_t> OpsOf(uint32_t node) const {
    if (members_[node].empty()) return {node};
    return members_[node];
  }
  uint32_t NodeOf(uint32_t op) const { return node_of_op_[op]; }
  const std::vector<uint32_t>& sequence() const { return sequence_; }

  template <typename Visit>
  void VisitSuccessors(uint32_t node, Visit&& visit) const {
    if (members_[node].empty()) {
      for (uint32_t next : dag_.Successors(node)) visit(node_of_op_[next]);
      return;
    }
    for (uint32_t op : members_[node]) {
      for (uint32_t next : dag_.Successors(op)) {
        if (node_of_op_[next] != node) visit(node_of_op_[next]);
      }
    }
  }

 private:
  std::pair<uint32_t, uint32_t> PlacesOf(std::span<const uint32_t> ops) const {
    uint32_t first = kNone;
    uint32_t last = 0;
    for (uint32_t op : ops) {
      first = std::min(first, place_[op]);
      last = std::max(last, place_[op]);
    }
    return {first, last};
  }

  // Gives every node at the places [first, last] its level. Nothing before
  // `first` is of the color, so all levels there are 0. Returns the number of
  // levels.
  uint32_t AssignLevels(uint32_t first, uint32_t last, int32_t color,
                        std::span<const int32_t> colors) {
    for (uint32_t place = first; place <= last; ++place) {
      if (sequence_[place] != kNone) level_[sequence_[place]] = 0;
    }
    uint32_t highest = 0;
    for (uint32_t place = first; place <= last; ++place) {
      const uint32_t node = sequence_[place];
      if (node == kNone) continue;
      const bool inside = colors[node] == color;
      highest = std::max(highest, level_[node]);
      VisitSuccessors(node, [&](uint32_t next) {
        if (place_[next] > last) return;
        const bool leaves = inside && colors[next] != color;
        level_[next] = std::max(level_[next], level_[node] + (leaves ? 1 : 0));
      });
    }
    return highest + 1;
  }

  // Puts the nodes at [first, last] in the order: others of level 0, group of
  // level 0, others of level 1, ... Places that become free stay empty.
  void Rearrange(uint32_t first, uint32_t last, int32_t color, std::span<const int32_t> colors,
                 uint32_t level_count) {
    std::vector<std::vector<uint32_t>> others(level_count);
    std::vector<std::vector<uint32_t>> groups(level_count);
    for (uint32_t place = first; place <= last; ++place) {
      const uint32_t node = std::exchange(sequence_[place], kNone);
      if (node == kNone) continue;
      auto& list = colors[node] == color ? groups : others;
      list[level_[node]].push_back(node);
    }
    uint32_t place = first;
    const auto put = [&](uint32_t node) {
      sequence_[place] = node;
      place_[node] = place++;
    };
    for (uint32_t level = 0; level < level_count; ++level) {
      for (uint32_t node : others[level]) put(node);
      if (!groups[level].empty()) put(Merge(std::move(groups[level])));
    }
  }

  uint32_t Merge(std::vector<uint32_t> ops) {
    std::sort(ops.begin(), ops.end());
    const uint32_t node = ops.front();
    for (uint32_t op : ops) node_of_op_[op] = node;
    members_[node] = std::move(ops);
    return node;
  }

  const OpDag& dag_;
  std::vector<uint32_t> sequence_;              // nodes; kNone: a free place
  std::vector<uint32_t> place_;                 // of each node in sequence_
  std::vector<uint32_t> node_of_op_;            // its group's first op
  std::vector<std::vector<uint32_t>> members_;  // empty: the op alone
  std::vector<uint32_t> level_;
};

// Runs what is ready and stands furthest in front: an op at its own position,
// a group at that of its last op.
Grouping ArrangeNearOriginal(const Contraction& graph, uint32_t op_count,
                             std::span<const int32_t> colors) {
  std::vector<uint32_t> waits_for(op_count);
  for (uint32_t node : graph.sequence()) {
    if (node == kNone) continue;
    graph.VisitSuccessors(node, [&](uint32_t next) { ++waits_for[next]; });
  }
  using Entry = std::pair<uint32_t, uint32_t>;  // position, node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  const auto push = [&](uint32_t node) { ready.emplace(graph.OpsOf(node).back(), node); };
  for (uint32_t node : graph.sequence()) {
    if (node != kNone && waits_for[node] == 0) push(node);
  }
  Grouping result;
  while (!ready.empty()) {
    const uint32_t node = ready.top().second;
    ready.pop();
    if (colors[node] == kNoColor) {
      result.order.push_back({.is_group = false, .index = node});
    } else {
      result.order.push_back(
          {.is_group = true, .index = static_cast<uint32_t>(result.groups.size())});
      result.groups.push_back({.color = colors[node], .ops = graph.OpsOf(node)});
    }
    graph.VisitSuccessors(node, [&](uint32_t next) {
      if (--waits_for[next] == 0) push(next);
    });
  }
  return result;
}

}  // namespace

litert::Expected<Grouping> GroupOps(const OpDag& dag, std::span<const int32_t> colors,
                                    std::span<const int32_t> never_merged) {
  auto order = TopologicalOrderOf(dag);
  if (!order) return order.Error();

  int32_t color_count = 0;
  for (int32_t color : colors) color_count = std::max(color_count, color + 1);
  std::vector<std::vector<uint32_t>> ops_of_color(static_cast<size_t>(color_count));
  for (uint32_t op = 0; op < colors.size(); ++op) {
    if (colors[op] != kNoColor) {
      ops_of_color[static_cast<size_t>(colors[op])].push_back(op);
    }
  }

  Contraction graph(dag, std::move(*order));
  for (int32_t color = 0; color < color_count; ++color) {
    if (std::find(never_merged.begin(), never_merged.end(), color) != never_merged.end()) {
      continue;
    }
    graph.MergeByLevel(ops_of_color[static_cast<size_t>(color)], colors);
  }
  return ArrangeNearOriginal(graph, dag.node_count(), colors);
}

std::string ToString(const Grouping& grouping) {
  std::string text;
  for (size_t i = 0; i < grouping.groups.size(); ++i) {
    text += fmt::format("partition {} (color {}):", i, grouping.groups[i].color);
    for (uint32_t op : grouping.groups[i].ops) text += fmt::format(" {}", op);
    text += "\n";
  }
  return text;
}

}  // namespace npukit
