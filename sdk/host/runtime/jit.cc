// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/jit.h"

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/plugin/compiler_plugin.h"
#include "sdk/host/plugin/plugin_search.h"
#include "sdk/host/runtime/dispatch_search.h"

namespace npukit {
namespace {

// As ApplyPlugin, but each selected op becomes a partition of its own: the plugin compiles them all
// in one call, and no value is hidden inside a partition.
litert::Expected<ApplyResult> ApplyOpByOp(const Model& model, const CompilerPlugin& plugin,
                                          const ApplyOptions& options) {
  LITERT_RETURN_IF_ERROR(plugin.CheckCompatibility(options.soc_model));
  const Selector selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    LITERT_ASSIGN_OR_RETURN(SelectorAnswer answer, plugin.Partition(options.soc_model, subgraph));
    LiteRtParamIndex next = 0;
    for (SelectedOp& selected : answer.selection) selected.partition_index = next++;
    return answer;
  };
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> rewritten, RewriteForPlugin(model, plugin));
  LITERT_ASSIGN_OR_RETURN(PartitionedModel partitioned,
                          PartitionModel(rewritten != nullptr ? *rewritten : model, selector));
  LITERT_ASSIGN_OR_RETURN(CompiledPartitions compiled,
                          CompilePartitions(partitioned, plugin, options));
  return EmbedBytecode(std::move(partitioned), std::move(compiled), plugin.manufacturer(),
                       options.soc_model);
}

// Why a plugin took no part; its file stands in every message.
litert::Expected<JitResult> TryPlugin(const Model& model, const std::string& path,
                                      const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(CompilerPlugin plugin, CompilerPlugin::Load(path));
  if (!request.manufacturer.empty() &&
      VendorLikeness(plugin.manufacturer(), request.manufacturer) == 0) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        path + ": is of " + plugin.manufacturer() + ", not of " + request.manufacturer);
  }
  const ApplyOptions options{.soc_model = request.soc};
  LITERT_ASSIGN_OR_RETURN(ApplyResult applied, request.one_op_per_partition
                                                   ? ApplyOpByOp(model, plugin, options)
                                                   : ApplyPlugin(model, plugin, options));
  if (applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": selected no op of the model");
  }
  return JitResult{
      .applied = std::move(applied), .manufacturer = plugin.manufacturer(), .plugin_path = path};
}

}  // namespace

litert::Expected<JitResult> CompileInMemory(const Model& model, const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(PluginFiles files, FindPluginFiles(request.plugin_dir));
  if (files.compiler_plugins.empty()) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        request.plugin_dir + ": no compiler plugin (libLiteRtCompilerPlugin*.so)");
  }
  std::string reasons;
  LiteRtStatus status = kLiteRtStatusErrorNotFound;
  for (const std::string& path : files.compiler_plugins) {
    litert::Expected<JitResult> result = TryPlugin(model, path, request);
    if (result) return result;
    if (!reasons.empty()) reasons += "; ";
    reasons += result.Error().Message();
    status = result.Error().Status();
  }
  return litert::Unexpected(status, reasons);
}

}  // namespace npukit
