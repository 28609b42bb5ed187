// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/session/jit.h"

#include <fmt/format.h>

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/folding/fold_constants.h"
#include "sdk/host/library/plugin_name.h"
#include "sdk/host/library/plugin_search.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/packages/packaged_op.h"

namespace npukit {
namespace {

JitResult NotDone(Fallback fallback, std::string reason) {
  return {.fallback = fallback, .reason = std::move(reason)};
}

JitResult Compile(const Model& model, const std::vector<const LoadedPlugin*>& plugins,
                  const std::string& description, const JitRequest& request) {
  if (plugins.size() == 1 && !plugins[0]->KnowsSoc(request.soc)) {
    return NotDone(Fallback::kWrongRequest,
                   plugins[0]->CheckCompatibility(request.soc).Error().Message());
  }
  auto applied = ApplyPlugins(model, plugins,
                              {.soc_model = request.soc,
                               .placement = request.placement,
                               .one_op_per_partition = request.one_op_per_partition,
                               .just_in_time = true,
                               .keep_whole = IsPackagedOp,
                               .before_plugins = request.fold_constants ? FoldConstants : nullptr,
                               .on_compile_failure = request.on_compile_failure});
  if (!applied) {
    const std::string& message = applied.Error().Message();
    return NotDone(IsAboutRequest(request.placement, message) ? Fallback::kWrongRequest
                                                              : Fallback::kNotCompiled,
                   message);
  }
  if (applied->partitions.empty() && !applied->failures.empty()) {
    return NotDone(
        Fallback::kNotCompiled,
        fmt::format("nothing that was selected could be compiled: {}: {}",
                    applied->failures.front().plugin, applied->failures.front().message));
  }
  if (applied->partitions.empty()) {
    return NotDone(Fallback::kNothingSelected,
                   fmt::format("{}: selected no op of the model", description));
  }
  std::vector<std::string> names;
  for (const ApplyResult::Share& share : applied->shares) {
    if (!share.partitions.empty()) names.push_back(share.manufacturer);
  }
  return {.applied = std::move(*applied), .manufacturer = fmt::format("{}", fmt::join(names, ","))};
}

// The plugin's path stands in every reason.
JitResult TryPlugin(const Model& model, const std::string& path, const JitRequest& request) {
  const auto plugin = LoadedPlugin::Load(path, nullptr, request.plugin_options);
  if (!plugin) return NotDone(Fallback::kNotLoaded, plugin.Error().Message());
  if (!request.manufacturer.empty() &&
      !MeansPlugin(plugin->manufacturer(), path, request.manufacturer)) {
    return NotDone(Fallback::kNotLoaded, fmt::format("{}: is of {}, not of {}", path,
                                                     plugin->manufacturer(), request.manufacturer));
  }
  return Compile(model, {&*plugin}, path, request);
}

JitResult CompileWithAll(const Model& model, const JitRequest& request) {
  const auto choice = ChoosePlugins(request.plugin_dir, request.plugins, request.plugin_options);
  if (!choice) {
    return NotDone(choice.Error().Status() == kLiteRtStatusErrorInvalidArgument
                       ? Fallback::kWrongRequest
                       : Fallback::kNotLoaded,
                   choice.Error().Message());
  }
  std::vector<const LoadedPlugin*> plugins;
  std::vector<std::string> names;
  for (const LoadedPlugin& plugin : choice->plugins) {
    plugins.push_back(&plugin);
    names.push_back(plugin.Describe());
  }
  return Compile(model, plugins, fmt::format("{}", fmt::join(names, ", ")), request);
}

// A plugin that failed says more than one that takes nothing: what a user asked for went wrong.
int Weight(Fallback fallback) {
  switch (fallback) {
    case Fallback::kNotCompiled:
      return 3;
    case Fallback::kWrongRequest:
      return 2;
    case Fallback::kNotLoaded:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

JitResult CompileInMemory(const Model& model, const JitRequest& request) {
  if (!request.plugins.empty()) return CompileWithAll(model, request);
  const auto files = FindPlugins(request.plugin_dir);
  if (!files) return NotDone(Fallback::kNotLoaded, files.Error().Message());
  if (files->compiler_plugins.empty()) {
    return NotDone(Fallback::kNotLoaded,
                   NoneFound(request.plugin_dir, kNpukitStaticPluginCompiler).Message());
  }
  JitResult none{.fallback = Fallback::kNothingSelected};
  for (const std::string& path : files->compiler_plugins) {
    JitResult result = TryPlugin(model, path, request);
    if (result.fallback == Fallback::kNone) return result;
    if (Weight(result.fallback) > Weight(none.fallback)) none.fallback = result.fallback;
    none.reason += fmt::format("{}{}", none.reason.empty() ? "" : "; ", result.reason);
  }
  return none;
}

}  // namespace npukit
