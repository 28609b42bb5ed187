// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/delegation_flags.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/tools/placement_file.h"

namespace npukit::tools {

void DelegationFlags::AddTo(CLI::App& app) {
  app.add_option("--plugin", plugins,
                 "plugin by manufacturer; given several times, each gets what those before it left")
      ->allow_extra_args(false);
  app.add_option("--placement", placement_file,
                 "YAML file that places ops on plugins or the CPU (docs/delegates.md)");
  app.add_option("--spec", specs,
                 "compile spec [PLUGIN][#PARTITION:]KEY=VALUE; VALUE may be @FILE or hex:DIGITS")
      ->allow_extra_args(false);
  app.add_option("--on-compile-failure", on_compile_failure,
                 "fail, or split: try smaller partitions and leave what fails on the CPU")
      ->check(CLI::IsMember({"fail", "split"}))
      ->capture_default_str();
}

litert::Expected<DelegationChoice> DelegationFlags::Read() const {
  DelegationChoice choice;
  if (!placement_file.empty()) {
    LITERT_ASSIGN_OR_RETURN(PlacementFile file, ReadPlacementFile(placement_file));
    choice.plugins = std::move(file.plugins);
    choice.placement = std::move(file.request);
  }
  if (!plugins.empty()) choice.plugins = plugins;
  for (const std::string& text : specs) {
    LITERT_ASSIGN_OR_RETURN(choice.placement.specs.emplace_back(), ParseCompileSpec(text));
  }
  if (on_compile_failure == "split") choice.on_compile_failure = OnCompileFailure::kSplit;
  return choice;
}

}  // namespace npukit::tools
