// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/grouping/op_dag.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <string>

namespace npukit {

OpDag::OpDag(uint32_t node_count, std::span<const Edge> edges)
    : begin_(node_count + 1), successors_(edges.size()) {
  // Counting sort by source, which keeps the edges of one source in order.
  for (const Edge& edge : edges) ++begin_[edge.first + 1];
  for (uint32_t node = 0; node < node_count; ++node) {
    begin_[node + 1] += begin_[node];
  }
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) successors_[next[edge.first]++] = edge.second;
}

bool HasSideEffects(const Op& op) {
  if (op.code == kStablehloCase) return true;
  switch (op.code) {
    case kLiteRtOpCodeTflVarHandle:
    case kLiteRtOpCodeTflReadVariable:
    case kLiteRtOpCodeTflAssignVariable:
    case kLiteRtOpCodeTflHashtable:
    case kLiteRtOpCodeTflHashtableFind:
    case kLiteRtOpCodeTflHashtableImport:
    case kLiteRtOpCodeTflHashtableSize:
    case kLiteRtOpCodeTflCall:
    case kLiteRtOpCodeTflCallOnce:
    case kLiteRtOpCodeTflIf:
    case kLiteRtOpCodeTflWhile:
    case kLiteRtOpCodeShloWhile:
      return true;
    default:
      return false;
  }
}

OpDag MakeOpDag(const Subgraph& subgraph) {
  std::vector<OpDag::Edge> edges;
  const Op* last_effect = nullptr;
  for (const auto& op : subgraph.ops()) {
    for (const Tensor* output : op->outputs) {
      for (const Tensor::User& user : output->users) {
        edges.emplace_back(op->index, user.op->index);
      }
    }
    if (!HasSideEffects(*op)) continue;
    if (last_effect != nullptr) {
      edges.emplace_back(last_effect->index, op->index);
    }
    last_effect = op.get();
  }
  return OpDag(static_cast<uint32_t>(subgraph.ops().size()), edges);
}

litert::Expected<std::vector<uint32_t>> TopologicalOrder(const OpDag& dag) {
  std::vector<uint32_t> waits_for(dag.node_count());
  for (uint32_t node = 0; node < dag.node_count(); ++node) {
    for (uint32_t next : dag.Successors(node)) ++waits_for[next];
  }
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < dag.node_count(); ++node) {
    if (waits_for[node] == 0) ready.push(node);
  }
  std::vector<uint32_t> order;
  order.reserve(dag.node_count());
  while (!ready.empty()) {
    const uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (uint32_t next : dag.Successors(node)) {
      if (--waits_for[next] == 0) ready.push(next);
    }
  }
  for (uint32_t node = 0; order.size() < dag.node_count(); ++node) {
    if (waits_for[node] == 0) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("op {} is part of a cycle, or reads from one: expected ops that can be ordered",
                    node));
  }
  return order;
}

}  // namespace npukit
