// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/model/graph/model.h"

#include "sdk/host/model/options/subgraph_references.h"

LiteRtSubgraphT& LiteRtModelT::AddSubgraph() {
  return AddSubgraph(std::make_unique<LiteRtSubgraphT>(store_.get()));
}

LiteRtSubgraphT& LiteRtModelT::AddSubgraph(std::unique_ptr<LiteRtSubgraphT> subgraph) {
  return *subgraphs_.emplace_back(std::move(subgraph));
}

std::unique_ptr<LiteRtSubgraphT> LiteRtModelT::TakeSubgraph(size_t index) {
  std::unique_ptr<LiteRtSubgraphT> taken = std::move(subgraphs_[index]);
  subgraphs_.erase(subgraphs_.begin() + static_cast<ptrdiff_t>(index));
  for (const auto& subgraph : subgraphs_) {
    for (const auto& op : subgraph->ops()) {
      npukit::EditSubgraphReferences(op->options, [index](const char*, int32_t& reference) {
        if (reference > static_cast<int32_t>(index)) --reference;
      });
    }
  }
  return taken;
}

const LiteRtModelT::Metadata* LiteRtModelT::FindMetadata(std::string_view name) const {
  for (const Metadata& entry : metadata) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

void LiteRtModelT::SetMetadata(std::string_view name, npukit::SharedBytes bytes) {
  const auto buffer = store_->Add(std::move(bytes));
  for (Metadata& entry : metadata) {
    if (entry.name != name) continue;
    for (int32_t& listed : metadata_buffer) {
      if (listed == static_cast<int32_t>(entry.buffer)) listed = static_cast<int32_t>(buffer);
    }
    entry.buffer = buffer;
    return;
  }
  metadata.push_back({.name = std::string(name), .buffer = buffer});
  metadata_buffer.push_back(static_cast<int32_t>(buffer));
}
