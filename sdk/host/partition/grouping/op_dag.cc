// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/grouping/op_dag.h"

#include <fmt/format.h>

#include <utility>

#include "sdk/host/model/order/topological_order.h"

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

litert::Expected<std::vector<uint32_t>> TopologicalOrderOf(const OpDag& dag) {
  TopologicalOrder order = SortTopologically(dag.node_count(), [&](uint32_t node, auto visit) {
    for (uint32_t next : dag.Successors(node)) visit(next);
  });
  if (order.stuck) {
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("op {} is part of a cycle, or reads from one: expected ops that can be ordered",
                    *order.stuck));
  }
  return std::move(order.nodes);
}

}  // namespace npukit
