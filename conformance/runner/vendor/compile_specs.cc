// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/compile_specs.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_answer.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"

namespace npukit::conformance {
namespace {

// Set one by one, so that what is refused can be named. Runs in the worker.
litert::Expected<std::string> TryEach(const std::string& plugin_path,
                                      std::span<const CompileSpecRequest> asked) {
  SetStage("loading the compiler plugin");
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin, LoadedPlugin::Load(plugin_path));
  SetStage("NpukitSetCompileSpecs");
  for (const CompileSpecRequest& request : asked) {
    const auto set = plugin.SetCompileSpecs(NPUKIT_ALL_PARTITIONS, {&request.spec, 1});
    if (!set) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                fmt::format("{}: {}", request.where, set.Error().Message()));
    }
  }
  return std::string();
}

}  // namespace

litert::Expected<void> SetRunSpecs(std::span<const CompileSpecRequest> asked,
                                   PluginUnderTest& under_test) {
  for (const CompileSpecRequest& request : asked) {
    if (request.partition || !request.plugin.empty()) {
      return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                                request.where +
                                    ": a run judges one plugin, and each case has partitions of "
                                    "its own; expected KEY=VALUE");
    }
    SetSpec(request.spec, under_test.specs);
  }
  const bool is_there = under_test.device && !under_test.device->plugin_path.empty();
  if (asked.empty() || is_there) return {};
  const std::string& path = under_test.plugin_path;
  const WorkerAnswer tried = AskWorker([&] { return TryEach(path, asked); });
  if (tried.text) return {};
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            path + ": " + tried.text.Error().Message());
}

std::vector<CompileSpecRequest> SpecRequests(const PluginUnderTest& under_test) {
  std::vector<CompileSpecRequest> requests;
  for (const CompileSpec& spec : under_test.specs) {
    CompileSpecRequest& request = requests.emplace_back();
    request.spec = spec;
    request.where = "--spec " + spec.key;
  }
  return requests;
}

litert::Expected<LoadedPlugin> LoadPlugin(const PluginUnderTest& under_test) {
  LITERT_ASSIGN_OR_RETURN(LoadedPlugin plugin, LoadedPlugin::Load(under_test.plugin_path));
  if (!under_test.specs.empty()) {
    LITERT_RETURN_IF_ERROR(plugin.SetCompileSpecs(NPUKIT_ALL_PARTITIONS, under_test.specs));
  }
  return plugin;
}

}  // namespace npukit::conformance
