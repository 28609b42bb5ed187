// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/device_compiler.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/loaded_plugin.h"

namespace npukit::remote {

litert::Expected<CompileAnswer> CompileOnDevice(const CompileCall& call,
                                                const std::string& plugin_path,
                                                const FileCache& cache) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, cache.Read(call.model_digest));
  LITERT_ASSIGN_OR_RETURN(const std::unique_ptr<Model> model,
                          ParseModel(SharedBytes::Copy(bytes), "the model that was sent"));
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin, LoadedPlugin::Load(plugin_path));
  ApplyOptions options{.soc_model = call.soc};
  for (const RemoteSpec& spec : call.specs) {
    CompileSpecRequest request{.plugin = spec.plugin,
                               .partition = std::nullopt,
                               .spec = {spec.key, spec.bytes},
                               .where = "--spec"};
    if (spec.partition >= 0) request.partition = static_cast<size_t>(spec.partition);
    options.placement.specs.push_back(std::move(request));
  }
  if (call.splits_on_failure) options.on_compile_failure = OnCompileFailure::kSplit;
  const LoadedPlugin* const one = &plugin;
  LITERT_ASSIGN_OR_RETURN(const ApplyResult applied,
                          ApplyPlugins(*model, std::span(&one, 1), options));
  if (applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              fmt::format("{}: selected no op of the model", call.plugin_name));
  }
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> compiled, SerializeModel(*applied.model));
  return CompileAnswer{.model = std::move(compiled),
                       .manufacturer = plugin.manufacturer(),
                       .partitions = applied.partitions.size()};
}

}  // namespace npukit::remote
