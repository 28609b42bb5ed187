// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/embed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/partition/composite.h"
#include "sdk/host/placement/source_ops.h"

namespace npukit {
namespace {

void EmbedShare(PartitionedModel& partitioned, CompiledShare& compiled, ApplyResult& result) {
  ApplyResult::Share& share = result.shares[compiled.plugin];
  const size_t first_module = result.modules.size();
  for (size_t m = 0; m < compiled.result.modules.size(); ++m) {
    SharedBytes& bytes = compiled.result.modules[m];
    const size_t size_bytes = bytes.bytes.size();
    share.modules.push_back(result.modules.size());
    result.modules.push_back({.buffer = result.model->buffers().Add(std::move(bytes)),
                              .size_bytes = size_bytes,
                              .executable = compiled.result.executables[m]});
  }
  if (compiled.result.owner != nullptr)
    result.executable_owners.push_back(std::move(compiled.result.owner));
  for (size_t i = 0; i < compiled.partitions.size(); ++i) {
    const size_t number = compiled.partitions[i];
    PartitionedModel::Partition& from = partitioned.partitions[number];
    CompiledPartitions::Call& call = compiled.result.calls[i];
    ApplyResult::Partition& to = result.partitions[number];
    to.dispatch_op = from.dispatch_op;
    to.plugin = compiled.plugin;
    to.module = first_module + call.module;
    from.dispatch_op->dispatch =
        DispatchInfo{.entry_point = call.entry_point, .bytecode = result.modules[to.module].buffer};
    to.entry_point = std::move(call.entry_point);
    to.ops = std::move(from.ops);
    to.specs = std::move(compiled.specs[i]);
    to.debug_handles = std::move(call.debug_handles);
    to.in_place = std::move(call.in_place);
    share.partitions.push_back(number);
  }
}

// The sources of a partition's ops, each once.
class PartitionSources {
 public:
  PartitionSources(const SourceOps& sources, bool is_rewritten, DelegateRecord& record)
      : sources_(sources), is_rewritten_(is_rewritten), record_(record) {}

  // Of the partition's next op.
  void Add(const PlacedOp& op) {
    SourceOps::Sources sources = sources_.Of(op);
    // What ops inside a whole npu_call compute has no name.
    if (op.composite == kNpuCallComposite) sources.value.clear();
    std::vector<uint32_t>& numbers = numbers_.emplace_back();
    for (DelegateRecord::SourceOp& source : sources.ops) {
      auto& known = record_.ops;
      const auto same = is_rewritten_ ? std::find(known.begin(), known.end(), source) : known.end();
      numbers.push_back(static_cast<uint32_t>(same - known.begin()));
      if (same == known.end()) known.push_back(std::move(source));
    }
    values_.push_back(std::move(sources.value));
  }

  void AddHandle(const CompiledPartitions::DebugHandle& handle) {
    DelegateRecord::Handle& to = record_.handles.emplace_back();
    to.handle = handle.handle;
    to.name = handle.name;
    std::vector<uint32_t> ops = handle.ops;
    // A body of an odml.npu_call has ops that the model's own records do not list.
    std::erase_if(ops, [&](uint32_t op) { return op >= numbers_.size(); });
    // With one op in the partition a handle that names none can mean no other.
    if (ops.empty() && numbers_.size() == 1) ops.push_back(0);
    for (uint32_t op : ops) {
      for (uint32_t number : numbers_[op]) {
        if (std::find(to.ops.begin(), to.ops.end(), number) == to.ops.end())
          to.ops.push_back(number);
      }
      to.value = values_[op];  // of several, the last one's
    }
  }

 private:
  const SourceOps& sources_;
  const bool is_rewritten_;
  DelegateRecord& record_;
  std::vector<std::vector<uint32_t>> numbers_;  // into the record's ops, by op of the partition
  std::vector<std::string> values_;             // likewise
};

void AddPartitionRecords(const SourceOps& sources, bool is_rewritten, const ApplyResult& result,
                         std::vector<DelegateRecord>& delegates) {
  for (const ApplyResult::Partition& partition : result.partitions) {
    const ApplyResult::Share& share = result.shares[partition.plugin];
    DelegateRecord& record = delegates.emplace_back();
    record.entry_point = partition.entry_point;
    if (!partition.dispatch_op->outputs.empty())
      record.output = partition.dispatch_op->outputs.front()->name;
    record.plugin = share.manufacturer;
    record.soc_model = share.soc_model;
    record.specs = partition.specs;
    record.in_place = partition.in_place;
    PartitionSources ops(sources, is_rewritten, record);
    for (uint32_t op : partition.ops) ops.Add(result.ops[op]);
    for (const auto& handle : partition.debug_handles) ops.AddHandle(handle);
  }
}

// Of the ops left on the CPU that the compiled model does not show as the given one did. They are
// told apart by their first outputs' names.
void AddCpuRecords(const SourceOps& sources, const ApplyResult& result,
                   std::vector<DelegateRecord>& delegates) {
  std::map<std::string, const Op*> by_output;  // null: several
  std::map<const Op*, uint32_t> subgraph_of;
  const Model& model = *result.model;
  for (size_t s = 0; s < model.subgraphs().size(); ++s) {
    for (const auto& op : model.subgraph(s).ops()) {
      if (op->outputs.empty()) continue;
      const auto [known, is_new] = by_output.emplace(op->outputs.front()->name, op.get());
      if (!is_new) known->second = nullptr;
      subgraph_of[op.get()] = static_cast<uint32_t>(s);
    }
  }
  for (const PlacedOp& op : result.ops) {
    if (op.partition >= 0 || op.was_dispatch || op.name.empty()) continue;
    const auto now = by_output.find(op.name);
    if (now == by_output.end() || now->second == nullptr) continue;
    SourceOps::Sources from = sources.Of(op);
    const DelegateRecord::SourceOp& first = from.ops.front();
    if (from.ops.size() == 1 && first.subgraph == subgraph_of[now->second] &&
        first.index == now->second->index && first.op == op.op && first.name == op.name)
      continue;
    DelegateRecord& record = delegates.emplace_back();
    record.output = op.name;
    record.ops = std::move(from.ops);
  }
}

litert::Expected<void> AddDelegateMetadata(const Model& given, const OpOrigins* origins,
                                           const ApplyResult& result) {
  // What was compiled before stays known.
  Model& model = *result.model;
  LITERT_ASSIGN_OR_RETURN(const std::vector<DelegateRecord> known, ReadDelegates(model));
  const SourceOps sources(given, origins, known);
  std::vector<DelegateRecord> delegates = known;
  // Records of ops on the CPU are made anew below: some of those ops may be on the NPU now.
  std::erase_if(delegates, [](const DelegateRecord& record) { return record.plugin.empty(); });
  AddPartitionRecords(sources, origins != nullptr, result, delegates);
  AddCpuRecords(sources, result, delegates);
  WriteDelegates(model, delegates);
  return {};
}

}  // namespace

litert::Expected<void> Embed(const Model& given, const OpOrigins* origins,
                             PartitionedModel partitioned, std::vector<CompiledShare> compiled,
                             ApplyResult& result) {
  result.model = std::move(partitioned.outer);
  result.partitions.resize(partitioned.partitions.size());
  for (CompiledShare& share : compiled) {
    if (share.result.calls.size() != share.partitions.size()) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                fmt::format("{} calls for {} partitions", share.result.calls.size(),
                                            share.partitions.size()));
    }
    EmbedShare(partitioned, share, result);
  }
  result.ops = std::move(partitioned.ops);
  if (result.partitions.empty()) return {};
  LITERT_RETURN_IF_ERROR(AddDelegateMetadata(given, origins, result));
  for (const CompiledShare& share : compiled) {
    const ApplyResult::Share& plugin = result.shares[share.plugin];
    LITERT_RETURN_IF_ERROR(AddToBuildStamp(*result.model, plugin.manufacturer, plugin.soc_model));
  }
  return {};
}

}  // namespace npukit
