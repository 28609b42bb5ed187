// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/delegation_flags.h"

#include <fmt/format.h>

#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/placement/compile_specs.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/tools/flags/compile_spec_flags.h"
#include "sdk/tools/flags/placement_file.h"

namespace npukit::tools {

void DelegationFlags::AddTo(CommandLine& line) {
  line.Add("--plugin", plugins,
           "plugin by manufacturer; given several times, each gets what those before it left")
      .OneValueEach();
  line.Add("--placement", placement_file,
           "YAML file that places ops on plugins or the CPU (docs/delegates.md)");
  line.Add("--spec", specs,
           "compile spec [PLUGIN][#PARTITION]:KEY=VALUE or KEY=VALUE; VALUE may be @FILE or "
           "hex:DIGITS; of equal keys the last counts")
      .OneValueEach();
  line.Add("--soc-file", soc_file,
           "description of the SoC, in the vendor's format; short for --spec soc_file=F with the "
           "whole path")
      .Excludes("--soc");
  line.Add("--max-partitions", max_partitions,
           "keep at most this many partitions, the largest; the other ops stay on the CPU")
      .Between(1, 1 << 20);
  line.Add("--on-compile-failure", on_compile_failure,
           "fail, or split: try smaller partitions and leave what fails on the CPU")
      .OneOf({"fail", "split"})
      .ShowDefault();
  line.AddFlag("--fold-constants", fold_constants,
               "compute ops of constants before plugins see the model: weights behind DEQUANTIZE, "
               "TRANSPOSE, CAST or DENSIFY become constants, and what is computed of fixed shapes");
}

litert::Expected<DelegationChoice> DelegationFlags::Read() const {
  DelegationChoice choice;
  if (!placement_file.empty()) {
    LITERT_ASSIGN_OR_RETURN(PlacementFile file, ReadPlacementFile(placement_file));
    choice.plugins = std::move(file.plugins);
    choice.plugin_places = std::move(file.plugin_places);
    choice.placement = std::move(file.request);
  }
  if (!plugins.empty()) {
    choice.plugins = plugins;
    choice.plugin_places.clear();
  }
  for (const std::string& text : specs) {
    LITERT_ASSIGN_OR_RETURN(choice.placement.specs.emplace_back(), ParseCompileSpec(text));
  }
  if (!soc_file.empty()) {
    LITERT_ASSIGN_OR_RETURN(choice.placement.specs.emplace_back(), SocFileSpec(soc_file));
  }
  if (max_partitions != 0) choice.placement.max_partitions = static_cast<size_t>(max_partitions);
  if (on_compile_failure == "split") choice.on_compile_failure = OnCompileFailure::kSplit;
  choice.fold_constants = fold_constants;
  return choice;
}

litert::Expected<void> CheckPlacedPlugins(const std::string& plugin_dir,
                                          const DelegationChoice& choice) {
  // Each choice loads the folder's libraries: one by one only to find out who is not there.
  if (choice.plugin_places.empty() || ChoosePlugins(plugin_dir, choice.plugins)) return {};
  for (size_t i = 0; i < choice.plugin_places.size(); ++i) {
    const auto found = ChoosePlugins(plugin_dir, {choice.plugins[i]});
    if (found || found.Error().Status() != kLiteRtStatusErrorInvalidArgument) continue;
    return litert::Unexpected(found.Error().Status(), fmt::format("{}: {}", choice.plugin_places[i],
                                                                  found.Error().Message()));
  }
  return {};
}

litert::Expected<void> CheckSpecs(const std::string& plugin_dir,
                                  const std::vector<std::string>& plugins,
                                  const PlacementRequest& placement, const std::string& soc_model) {
  const bool is_none = plugin_dir.empty() && LinkedPaths(kNpukitStaticPluginCompiler).empty();
  if (is_none || placement.specs.empty()) return {};
  const auto choice = ChoosePlugins(plugin_dir, plugins);
  if (!choice) return {};
  std::vector<const LoadedPlugin*> all;
  for (const LoadedPlugin& plugin : choice->plugins) all.push_back(&plugin);
  return npukit::CheckSpecs(all, placement, soc_model);
}

ExitCode CodeOfChoice(const litert::Error& error) {
  return error.Status() == kLiteRtStatusErrorInvalidArgument ? kWrongUsage : kNotLoaded;
}

void WarnAbout(const ApplyResult& applied) {
  for (const std::string& warning : applied.warnings) Warn(warning);
  for (const ApplyResult::Failure& failure : applied.failures) {
    Warn(failure.culprits.empty()
             ? fmt::format("{}; compiled in smaller partitions", failure.message)
             : fmt::format("{}; left on the CPU: {}", failure.message,
                           fmt::join(failure.culprits, "; ")));
  }
}

}  // namespace npukit::tools
