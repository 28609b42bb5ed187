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

// Why a plugin took no part; its file stands in every message.
litert::Expected<JitResult> TryPlugin(const Model& model, const std::string& path, const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(CompilerPlugin plugin, CompilerPlugin::Load(path));
  if (!request.manufacturer.empty() && VendorLikeness(plugin.manufacturer(), request.manufacturer) == 0) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": is of " + plugin.manufacturer() + ", not of " +
                                                              request.manufacturer);
  }
  LITERT_ASSIGN_OR_RETURN(ApplyResult applied, ApplyPlugin(model, plugin, {.soc_model = request.soc}));
  if (applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": selected no op of the model");
  }
  return JitResult{.applied = std::move(applied), .manufacturer = plugin.manufacturer(), .plugin_path = path};
}

}  // namespace

litert::Expected<JitResult> CompileInMemory(const Model& model, const JitRequest& request) {
  LITERT_ASSIGN_OR_RETURN(PluginFiles files, FindPluginFiles(request.plugin_dir));
  if (files.compiler_plugins.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
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
