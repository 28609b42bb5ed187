// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/op_id.h"

#include <fmt/format.h>

namespace npukit {

std::string ToString(const OpId& id) { return fmt::format("{}:{}", id.subgraph, id.index); }

uint32_t OpNumbering::SubgraphInside(OpId composite) {
  const auto next = static_cast<uint32_t>(own_count_ + composites_.size());
  const auto [entry, is_new] = subgraph_of_.emplace(composite, next);
  if (is_new) composites_.push_back(composite);
  return entry->second;
}

OpId OpNumbering::Inside(OpId composite, OpId inner) {
  // From the op out to the decomposition's own ops; a loop, since the file decides the depth.
  std::vector<uint32_t> path = {inner.index};
  for (uint32_t subgraph = inner.subgraph; subgraph >= own_count_;) {
    const OpId outer = composites_[subgraph - own_count_];
    path.push_back(outer.index);
    subgraph = outer.subgraph;
  }
  OpId id = composite;
  for (; !path.empty(); path.pop_back()) id = {SubgraphInside(id), path.back()};
  return id;
}

}  // namespace npukit
