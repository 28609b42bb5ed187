// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/plugin/delegation_embed.h"

#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/build_stamp.h"

namespace npukit {
namespace {

void EmbedShare(PartitionedModel& partitioned, CompiledShare& compiled, Delegation& result) {
  ApplyResult& applied = result.applied;
  Delegation::Share& share = result.shares[compiled.plugin];
  const size_t first_module = applied.modules.size();
  for (size_t m = 0; m < compiled.result.modules.size(); ++m) {
    SharedBytes& bytes = compiled.result.modules[m];
    const size_t size_bytes = bytes.bytes.size();
    share.modules.push_back(applied.modules.size());
    applied.modules.push_back({.buffer = applied.model->buffers().Add(std::move(bytes)),
                               .size_bytes = size_bytes,
                               .executable = compiled.result.executables[m]});
  }
  if (compiled.result.owner != nullptr)
    result.executable_owners.push_back(std::move(compiled.result.owner));
  for (size_t i = 0; i < compiled.partitions.size(); ++i) {
    const size_t number = compiled.partitions[i];
    PartitionedModel::Partition& from = partitioned.partitions[number];
    CompiledPartitions::Call& call = compiled.result.calls[i];
    ApplyResult::Partition& to = applied.partitions[number];
    to.call = from.call;
    to.module = first_module + call.module;
    from.call->dispatch = DispatchInfo{.entry_point = call.entry_point,
                                       .bytecode = applied.modules[to.module].buffer};
    to.entry_point = std::move(call.entry_point);
    to.ops = std::move(from.ops);
    to.debug_handles = std::move(call.debug_handles);
    share.partitions.push_back(number);
    result.plugin_of_partition[number] = compiled.plugin;
    result.specs[number] = std::move(compiled.specs[i]);
  }
}

// In the given model: a rewrite keeps the names of what it replaces. An op that has no
// counterpart there keeps what it is now, under the name of the rewrite.
DelegateRecord::SourceOp SourceOf(const Model& given, bool is_rewritten,
                                  const OpPlacementRecord& now) {
  DelegateRecord::SourceOp source{now.subgraph, now.index, now.op, now.name, now.composite};
  if (!is_rewritten || now.subgraph >= given.subgraphs().size()) return source;
  for (const auto& op : given.subgraph(now.subgraph).ops()) {
    if (op->outputs.empty() || op->outputs.front()->name != now.name) continue;
    source.index = op->index;
    source.op = OpName(*op);
    return source;
  }
  if (source.composite.empty()) source.composite = "added by a transformation";
  return source;
}

litert::Expected<void> AddDelegateMetadata(const Model& given, bool is_rewritten,
                                           Delegation& result) {
  ApplyResult& applied = result.applied;
  // What was compiled before stays known.
  LITERT_ASSIGN_OR_RETURN(std::vector<DelegateRecord> delegates, ReadDelegates(*applied.model));
  for (size_t i = 0; i < applied.partitions.size(); ++i) {
    const ApplyResult::Partition& partition = applied.partitions[i];
    const Delegation::Share& share = result.shares[result.plugin_of_partition[i]];
    DelegateRecord& record = delegates.emplace_back();
    record.entry_point = partition.entry_point;
    if (!partition.call->outputs.empty()) record.output = partition.call->outputs.front()->name;
    record.plugin = share.manufacturer;
    record.soc_model = share.soc_model;
    record.specs = result.specs[i];
    for (uint32_t op : partition.ops) {
      const OpPlacementRecord& from = applied.ops[op];
      record.ops.push_back(SourceOf(given, is_rewritten, from));
    }
    for (const auto& handle : partition.debug_handles) {
      // A body of an odml.npu_call has ops that the model's own records do not list.
      DelegateRecord::Handle& to = record.handles.emplace_back();
      to.handle = handle.handle;
      to.name = handle.name;
      for (uint32_t op : handle.ops) {
        if (op < record.ops.size()) to.ops.push_back(op);
      }
      if (to.ops.empty() && record.ops.size() == 1) to.ops.push_back(0);
    }
  }
  WriteDelegates(*applied.model, delegates);
  return {};
}

}  // namespace

litert::Expected<void> EmbedShares(const Model& given, bool is_rewritten,
                                   PartitionedModel partitioned,
                                   std::vector<CompiledShare> compiled, Delegation& result) {
  ApplyResult& applied = result.applied;
  applied.model = std::move(partitioned.outer);
  const size_t count = partitioned.partitions.size();
  applied.partitions.resize(count);
  result.plugin_of_partition.resize(count);
  result.specs.resize(count);
  for (CompiledShare& share : compiled) EmbedShare(partitioned, share, result);
  applied.ops = std::move(partitioned.records);
  if (count == 0) return {};
  LITERT_RETURN_IF_ERROR(AddDelegateMetadata(given, is_rewritten, result));
  for (const CompiledShare& share : compiled) {
    const Delegation::Share& plugin = result.shares[share.plugin];
    LITERT_RETURN_IF_ERROR(AddToBuildStamp(*applied.model, plugin.manufacturer, plugin.soc_model));
  }
  return {};
}

}  // namespace npukit
