// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/partition/constant_report.h"

#include <map>
#include <set>

namespace npukit {
namespace {

using BufferIds = std::set<BufferStore::Id>;

void AddBuffers(const Subgraph& subgraph, BufferIds& ids) {
  for (const auto& tensor : subgraph.tensors()) {
    if (tensor->is_constant()) ids.insert(tensor->weights.buffer_id);
  }
}

BufferIds BuffersOf(const Model& model) {
  BufferIds ids;
  for (const auto& subgraph : model.subgraphs()) AddBuffers(*subgraph, ids);
  return ids;
}

uint64_t BytesOf(const Model& model, const BufferIds& ids) {
  uint64_t bytes = 0;
  for (BufferStore::Id id : ids) bytes += model.buffers().Get(id).bytes.size();
  return bytes;
}

}  // namespace

ConstantReport ReportConstants(const Model& given, const PartitionedModel& partitioned) {
  ConstantReport report;
  const BufferIds outer = BuffersOf(*partitioned.outer);
  report.before_bytes = BytesOf(given, BuffersOf(given));
  report.after_bytes = BytesOf(given, outer);
  std::map<BufferStore::Id, size_t> partitions_of;
  for (const auto& body : partitioned.bodies->subgraphs()) {
    BufferIds ids;
    AddBuffers(*body, ids);
    for (BufferStore::Id id : ids) ++partitions_of[id];
  }
  for (const auto& body : partitioned.bodies->subgraphs()) {
    ConstantReport::Partition& entry = report.partitions.emplace_back();
    BufferIds counted;
    for (const auto& tensor : body->tensors()) {
      if (!tensor->is_constant() || !counted.insert(tensor->weights.buffer_id).second) continue;
      const BufferStore::Id id = tensor->weights.buffer_id;
      const bool shared = outer.contains(id) || partitions_of[id] > 1;
      (shared ? entry.shared_bytes : entry.owned_bytes) += tensor->weights.bytes().size();
      (shared ? entry.shared : entry.owned).push_back(tensor->name);
    }
  }
  return report;
}

}  // namespace npukit
