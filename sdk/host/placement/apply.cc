// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/apply.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/metadata/build_stamp.h"
#include "sdk/host/partition/copy.h"
#include "sdk/host/placement/op_placement.h"
#include "sdk/host/rewrite/rewrite.h"

namespace npukit {
namespace {

// Errors list no more ops of a partition than this.

class Stopwatch {
 public:
  uint64_t ElapsedNs() const {
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                     std::chrono::steady_clock::now() - start_)
                                     .count());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// FNV-1a; tells apart, in goldens, bytecode that changed.
std::string HashText(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text += kDigits[(hash >> shift) & 15];
  }
  return text;
}

}  // namespace

size_t ApplyResult::npu_op_count() const {
  return static_cast<size_t>(
      std::count_if(ops.begin(), ops.end(), [](const OpPlacementRecord& record) {
        return record.partition >= 0 || record.was_dispatch;
      }));
}

litert::Expected<RewrittenModel> RewriteForPlugin(const Model& model,
                                                  const CompilerPlugin& plugin) {
  if (plugin.transformations().empty()) return RewrittenModel();
  std::unique_ptr<Model> rewritten = CopyModel(model);
  auto count = RewriteModel(*rewritten, plugin.transformations(), plugin.has_block_wise_argument());
  if (!count) {
    return litert::Error(count.Error().Status(),
                         plugin.Describe() + ": " + count.Error().Message());
  }
  if (count->applied == 0) return RewrittenModel();
  UpdateOperatorCodes(*rewritten);
  return RewrittenModel{.model = std::move(rewritten), .origins = std::move(count->origins)};
}

litert::Expected<PartitionedModel> PartitionForPlugin(const Model& model,
                                                      const CompilerPlugin& plugin,
                                                      const ApplyOptions& options) {
  LITERT_RETURN_IF_ERROR(plugin.CheckCompatibility(options.soc_model));
  const Selector selector = [&](Subgraph& subgraph) {
    return plugin.Partition(options.soc_model, subgraph);
  };
  LITERT_ASSIGN_OR_RETURN(const RewrittenModel rewritten, RewriteForPlugin(model, plugin));
  auto partitioned = PartitionModel(rewritten.model != nullptr ? *rewritten.model : model, selector,
                                    {.default_reason = "not selected by " + plugin.manufacturer()});
  if (partitioned || partitioned.Error().Message().starts_with(plugin.Describe())) {
    return partitioned;
  }
  return litert::Error(partitioned.Error().Status(),
                       plugin.Describe() + ": " + partitioned.Error().Message());
}

litert::Expected<CompiledPartitions> CompilePartitions(const PartitionedModel& partitioned,
                                                       const CompilerPlugin& plugin,
                                                       const ApplyOptions& options) {
  if (partitioned.partitions.empty()) return CompiledPartitions();
  auto compiled = plugin.Compile(options.soc_model, *partitioned.bodies);
  if (compiled) return compiled;
  std::vector<size_t> all(partitioned.partitions.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return litert::Error(compiled.Error().Status(), compiled.Error().Message() + "; compiled were " +
                                                      ListPartitions(partitioned, all));
}

litert::Expected<ApplyResult> EmbedBytecode(PartitionedModel partitioned,
                                            CompiledPartitions compiled,
                                            const std::string& manufacturer,
                                            const std::string& soc_model) {
  ApplyResult result;
  result.model = std::move(partitioned.outer);
  result.ops = std::move(partitioned.records);
  if (partitioned.partitions.empty()) return result;
  if (compiled.calls.size() != partitioned.partitions.size()) {
    return litert::Error(kLiteRtStatusErrorInvalidArgument,
                         std::to_string(compiled.calls.size()) + " calls for " +
                             std::to_string(partitioned.partitions.size()) + " partitions");
  }
  for (SharedBytes& bytes : compiled.modules) {
    const size_t size_bytes = bytes.bytes.size();
    const BufferStore::Id buffer = result.model->buffers().Add(std::move(bytes));
    result.modules.push_back({.buffer = buffer, .size_bytes = size_bytes});
  }
  for (size_t p = 0; p < partitioned.partitions.size(); ++p) {
    PartitionedModel::Partition& from = partitioned.partitions[p];
    CompiledPartitions::Call& call = compiled.calls[p];
    from.call->dispatch = DispatchInfo{
        .entry_point = call.entry_point,
        .bytecode = result.modules[call.module].buffer,
    };
    ApplyResult::Partition& to = result.partitions.emplace_back();
    to.call = from.call;
    to.entry_point = std::move(call.entry_point);
    to.module = call.module;
    to.ops = std::move(from.ops);
    to.debug_handles = std::move(call.debug_handles);
  }
  LITERT_RETURN_IF_ERROR(AddToBuildStamp(*result.model, manufacturer, soc_model));
  return result;
}

litert::Expected<ApplyResult> ApplyPlugin(const Model& model, const CompilerPlugin& plugin,
                                          const ApplyOptions& options) {
  Stopwatch partition_watch;
  auto partitioned = PartitionForPlugin(model, plugin, options);
  if (!partitioned) return partitioned.Error();
  const uint64_t partition_ns = partition_watch.ElapsedNs();

  Stopwatch compile_watch;
  auto compiled = CompilePartitions(*partitioned, plugin, options);
  if (!compiled) return compiled.Error();
  const uint64_t compile_ns = compile_watch.ElapsedNs();

  Stopwatch embed_watch;
  auto result = EmbedBytecode(std::move(*partitioned), std::move(*compiled), plugin.manufacturer(),
                              options.soc_model);
  if (!result) return result;
  result->times = {
      .partition_ns = partition_ns, .compile_ns = compile_ns, .embed_ns = embed_watch.ElapsedNs()};
  return result;
}

std::string ToString(const CompiledPartitions& compiled) {
  std::string text;
  for (size_t i = 0; i < compiled.modules.size(); ++i) {
    const auto bytes = compiled.modules[i].bytes;
    text += "module " + std::to_string(i) + ": " + std::to_string(bytes.size()) + " bytes, " +
            HashText(bytes) + "\n";
  }
  for (size_t i = 0; i < compiled.calls.size(); ++i) {
    const CompiledPartitions::Call& call = compiled.calls[i];
    text += "call " + std::to_string(i) + ": " + call.entry_point + " of module " +
            std::to_string(call.module) + "\n";
  }
  return text;
}

std::string ToString(const ApplyResult& result) {
  std::string text;
  for (const OpPlacementRecord& record : result.ops) {
    text += OpText(record) +
            (record.partition >= 0 ? " -> partition " + std::to_string(record.partition)
                                   : " - " + record.reason) +
            "\n";
  }
  for (size_t p = 0; p < result.partitions.size(); ++p) {
    const ApplyResult::Partition& partition = result.partitions[p];
    text += "partition " + std::to_string(p) + ": " + partition.entry_point + " of module " +
            std::to_string(partition.module) + ", op " + std::to_string(partition.call->index) +
            " of the result\n";
  }
  return text;
}

}  // namespace npukit
