// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which op of a subgraph must run before which, as plain numbers: what grouping
// works on.

#ifndef NPUKIT_SDK_HOST_PARTITION_GROUPING_OP_DAG_H_
#define NPUKIT_SDK_HOST_PARTITION_GROUPING_OP_DAG_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/subgraph.h"

namespace npukit {

// A directed graph in compressed rows. Nodes are op positions; an edge may
// stand more than once. Immutable.
class OpDag {
 public:
  using Edge = std::pair<uint32_t, uint32_t>;  // from, to

  OpDag() = default;
  OpDag(uint32_t node_count, std::span<const Edge> edges);

  uint32_t node_count() const { return static_cast<uint32_t>(begin_.size() - 1); }
  size_t edge_count() const { return successors_.size(); }
  std::span<const uint32_t> Successors(uint32_t node) const {
    return std::span(successors_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  std::vector<uint32_t> begin_ = {0};
  std::vector<uint32_t> successors_;
};

// Edges follow the tensors. Ops with effects beyond their outputs (variables,
// hash tables, calls of subgraphs that may hold such) are chained in their
// present order, since no tensor says that they must stay in it.
OpDag MakeOpDag(const Subgraph& subgraph);

// True for the ops that MakeOpDag chains.
bool HasSideEffects(const Op& op);

// Positions in an order that respects the edges and otherwise keeps nodes where
// they are (smallest position first). An error names a node of a cycle by
// number.
litert::Expected<std::vector<uint32_t>> TopologicalOrderOf(const OpDag& dag);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_GROUPING_OP_DAG_H_
