// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/placement/compile_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "sdk/host/library/plugin_name.h"

namespace npukit {
namespace {

// Compiled for one SoC model and run on another, a module is refused by the device at best.
litert::Expected<void> CheckSocModel(const CompileSpecRequest& request,
                                     const std::string& soc_model) {
  if (request.spec.key != NPUKIT_SPEC_SOC_MODEL || soc_model.empty()) return {};
  const std::string named(request.spec.bytes.begin(), request.spec.bytes.end());
  if (named == soc_model) return {};
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("{}: names the SoC model '{}', and '{}' is to be compiled for: expected one",
                  request.where, named, soc_model));
}

// Those for a plugin that it knows. Of those that name it all must be known.
litert::Expected<std::vector<const CompileSpecRequest*>> SpecsThatPluginKnows(
    const LoadedPlugin& plugin, const PlacementRequest& placement, const std::string& soc_model) {
  std::vector<const CompileSpecRequest*> known;
  for (const CompileSpecRequest& request : placement.specs) {
    if (!request.plugin.empty() &&
        !MeansPlugin(plugin.manufacturer(), plugin.path(), request.plugin))
      continue;
    const std::vector<CompileSpec> alone = {request.spec};
    const auto set = plugin.SetCompileSpecs(NPUKIT_ALL_PARTITIONS, alone);
    if (set) {
      LITERT_RETURN_IF_ERROR(plugin.SetCompileSpecs(NPUKIT_ALL_PARTITIONS, {}));
      LITERT_RETURN_IF_ERROR(CheckSocModel(request, soc_model));
      known.push_back(&request);
    } else if (!request.plugin.empty() || set.Error().Status() != kLiteRtStatusErrorUnsupported) {
      return litert::Unexpected(set.Error().Status(),
                                fmt::format("{}: {}", request.where, set.Error().Message()));
    }
  }
  return known;
}

}  // namespace

CompileSpecs::~CompileSpecs() {
  for (size_t p = 0; p < known_.size(); ++p) {
    if (!known_[p].empty() || just_in_time_)
      (void)plugins_[p]->SetCompileSpecs(NPUKIT_ALL_PARTITIONS, {});
  }
}

litert::Expected<void> CompileSpecs::SetCommon(std::span<const std::string> soc_models) {
  for (size_t p = 0; p < plugins_.size(); ++p) {
    LITERT_ASSIGN_OR_RETURN(auto known,
                            SpecsThatPluginKnows(*plugins_[p], placement_, soc_models[p]));
    accepted_.insert(known.begin(), known.end());
    known_.push_back(std::move(known));
    const std::vector<CompileSpec> common = CommonWithJit(p);
    if (!common.empty())
      LITERT_RETURN_IF_ERROR(plugins_[p]->SetCompileSpecs(NPUKIT_ALL_PARTITIONS, common));
  }
  return {};
}

litert::Expected<void> CompileSpecs::CheckAllAreKnown() const {
  for (const CompileSpecRequest& request : placement_.specs) {
    if (accepted_.contains(&request) || request.is_optional) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        fmt::format("{}: no plugin knows the compile spec '{}'", request.where, request.spec.key));
  }
  return {};
}

std::vector<CompileSpec> CompileSpecs::Common(size_t p) const {
  std::vector<CompileSpec> specs;
  for (const auto* request : known_[p]) {
    if (!request->partition) SetSpec(request->spec, specs);
  }
  return specs;
}

std::vector<CompileSpec> CompileSpecs::CommonWithJit(size_t p) const {
  std::vector<CompileSpec> specs = Common(p);
  const bool is_chosen = std::any_of(specs.begin(), specs.end(), [](const CompileSpec& spec) {
    return spec.key == NPUKIT_SPEC_ENABLE_JIT;
  });
  if (!just_in_time_ || is_chosen || !plugins_[p]->has_executables()) return specs;
  const CompileSpec jit = {.key = NPUKIT_SPEC_ENABLE_JIT, .bytes = {'t', 'r', 'u', 'e'}};
  if (plugins_[p]->SetCompileSpecs(NPUKIT_ALL_PARTITIONS, {&jit, 1})) specs.push_back(jit);
  return specs;
}

litert::Expected<void> CompileSpecs::SetPartitions(std::vector<std::set<OpId>> partitions) {
  for (const CompileSpecRequest& request : placement_.specs) {
    if (!request.partition) continue;
    LITERT_RETURN_IF_ERROR(
        CheckPartitionNumber(*request.partition, request.where, partitions.size()));
  }
  partitions_ = std::move(partitions);
  return {};
}

std::vector<CompileSpec> CompileSpecs::Of(size_t p, std::span<const OpId> ops) const {
  std::vector<CompileSpec> specs = Common(p);
  for (const auto* request : known_[p]) {
    if (!request->partition) continue;
    const std::set<OpId>& numbered = partitions_[*request->partition];
    if (std::any_of(ops.begin(), ops.end(), [&](const OpId& op) { return numbered.contains(op); }))
      SetSpec(request->spec, specs);
  }
  return specs;
}

litert::Expected<void> CheckPartitionNumber(size_t number, const std::string& where, size_t count) {
  if (number < count) return {};
  return litert::Unexpected(kLiteRtStatusErrorIndexOOB,
                            fmt::format("{}: no partition {}: there are {}", where, number, count));
}

litert::Expected<void> CheckSpecs(std::span<const LoadedPlugin* const> plugins,
                                  const PlacementRequest& placement, const std::string& soc_model) {
  for (const LoadedPlugin* plugin : plugins) {
    LITERT_RETURN_IF_ERROR(
        SpecsThatPluginKnows(*plugin, placement, SocModelFor(*plugin, plugins.size(), soc_model)));
  }
  return {};
}

std::string SocModelFor(const LoadedPlugin& plugin, size_t num_plugins,
                        const std::string& soc_model) {
  const auto& listed = plugin.soc_models();
  const bool takes =
      num_plugins == 1 || std::find(listed.begin(), listed.end(), soc_model) != listed.end();
  return takes ? soc_model : "";
}

}  // namespace npukit
