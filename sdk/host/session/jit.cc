// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/session/jit.h"

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/dispatch_search.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/packages/packaged_op.h"

namespace npukit {
namespace {

litert::Expected<JitResult> Compile(const Model& model,
                                    const std::vector<const LoadedPlugin*>& plugins,
                                    const JitRequest& request) {
  const ApplyOptions options{.soc_model = request.soc,
                             .placement = request.placement,
                             .one_op_per_partition = request.one_op_per_partition,
                             .keep_whole = IsPackagedOp,
                             .on_compile_failure = request.on_compile_failure};
  LITERT_ASSIGN_OR_RETURN(ApplyResult applied, ApplyPlugins(model, plugins, options));
  std::string names;
  for (const ApplyResult::Share& share : applied.shares) {
    if (!share.partitions.empty()) names += (names.empty() ? "" : ",") + share.manufacturer;
  }
  return JitResult{.applied = std::move(applied), .manufacturer = std::move(names)};
}

// Why a plugin took no part; its path stands in every message.
litert::Expected<JitResult> TryPlugin(const Model& model, const std::string& path,
                                      const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(LoadedPlugin plugin,
                          LoadedPlugin::Load(path, nullptr, request.plugin_options));
  if (!request.manufacturer.empty() &&
      VendorLikeness(plugin.manufacturer(), request.manufacturer) == 0) {
    return litert::Unexpected(
        kLiteRtStatusErrorNotFound,
        path + ": is of " + plugin.manufacturer() + ", not of " + request.manufacturer);
  }
  LITERT_ASSIGN_OR_RETURN(JitResult result, Compile(model, {&plugin}, request));
  if (result.applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": selected no op of the model");
  }
  return result;
}

litert::Expected<JitResult> CompileWithAll(const Model& model, const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(PluginChoice choice, ChoosePlugins(request.plugin_dir, request.plugins,
                                                             request.plugin_options));
  std::vector<const LoadedPlugin*> plugins;
  for (const LoadedPlugin& plugin : choice.plugins) plugins.push_back(&plugin);
  LITERT_ASSIGN_OR_RETURN(JitResult result, Compile(model, plugins, request));
  if (!result.applied.partitions.empty()) return result;
  std::string names;
  for (const LoadedPlugin* plugin : plugins)
    names += (names.empty() ? "" : ", ") + plugin->Describe();
  return litert::Unexpected(kLiteRtStatusErrorNotFound, names + ": selected no op of the model");
}

}  // namespace

litert::Expected<JitResult> CompileInMemory(const Model& model, const JitRequest& request) {
  if (!request.plugins.empty()) return CompileWithAll(model, request);
  LITERT_ASSIGN_OR_RETURN(PluginFiles files, FindPlugins(request.plugin_dir));
  if (files.compiler_plugins.empty()) {
    return NoneFound(request.plugin_dir, kNpukitStaticPluginCompiler);
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
