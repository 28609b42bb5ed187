// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/source_ops.h"

#include "sdk/host/partition/composite.h"

namespace npukit {

SourceOps::Sources SourceOps::Of(const UnfoldedOp& now) const {
  Sources sources{.ops = {}, .value = now.name};
  if (origins_ == nullptr) {
    AddGiven(now, now.home.index, sources);
    return sources;
  }
  sources.value.clear();
  for (uint32_t index : (*origins_)[now.home.subgraph][now.home.index])
    AddGiven(now, index, sources);
  if (sources.ops.empty()) {
    sources.ops.push_back({now.subgraph, now.index, now.op, now.name, "added by a transformation"});
  }
  return sources;
}

// `index` in the subgraph of the op's home.
void SourceOps::AddGiven(const UnfoldedOp& now, uint32_t index, Sources& sources) const {
  const Op& op = given_.subgraph(now.home.subgraph).op(index);
  // Inlining renames what a decomposition puts out.
  std::string name = op.outputs.empty() ? std::string() : op.outputs.front()->name;
  if (name == now.home.name) name = sources.value = now.name;
  if (now.home.subgraph == now.subgraph) {
    // A file may have a record that names no op.
    const DelegateRecord* known = FindDelegate(known_, op);
    if (known != nullptr && !known->ops.empty()) {
      sources.ops.insert(sources.ops.end(), known->ops.begin(), known->ops.end());
    } else {
      sources.ops.push_back({now.subgraph, index, OpName(op), name, CompositeName(op)});
    }
    return;
  }
  uint32_t composite = now.index;
  if (origins_ != nullptr && !(*origins_)[now.subgraph][now.index].empty())
    composite = (*origins_)[now.subgraph][now.index].front();
  sources.ops.push_back({now.subgraph, composite, OpName(op), name, now.composite});
}

}  // namespace npukit
