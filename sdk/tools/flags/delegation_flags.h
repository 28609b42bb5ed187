// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options by which a user says which plugins take part and what each gets: --plugin,
// --placement, --spec, --soc-file, --max-partitions, --on-compile-failure.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_DELEGATION_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_DELEGATION_FLAGS_H_

#include <string>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/placement/apply.h"
#include "sdk/tools/command_line/command_line.h"

namespace npukit::tools {

class CommandLine;

struct DelegationChoice {
  std::vector<std::string> plugins;  // in order; empty: whichever takes the model
  std::vector<std::string>
      plugin_places;  // of each, in a placement file; empty where --plugin names them
  PlacementRequest placement;
  OnCompileFailure on_compile_failure = OnCompileFailure::kFail;
  bool fold_constants = false;
};

struct DelegationFlags {
  std::vector<std::string> plugins;
  std::string placement_file;
  std::vector<std::string> specs;
  std::string soc_file;
  int max_partitions = 0;
  std::string on_compile_failure = "fail";
  bool fold_constants = false;

  // After the program's own --soc: that and --soc-file exclude each other.
  void AddTo(CommandLine& line);
  // Reads the placement file. Its plugins count where --plugin names none.
  litert::Expected<DelegationChoice> Read() const;
};

// That the plugins which a placement file names are there. Errors name the place in it.
litert::Expected<void> CheckPlacedPlugins(const std::string& plugin_dir,
                                          const DelegationChoice& choice);

// What speaks against the values of the specs: a plugin in the folder, or `soc_model`, what --soc
// names. Nothing where no plugin can be loaded, which is told elsewhere.
litert::Expected<void> CheckSpecs(const std::string& plugin_dir,
                                  const std::vector<std::string>& plugins,
                                  const PlacementRequest& placement, const std::string& soc_model);

// Of an error of ChoosePlugins(): kWrongUsage for a name that no plugin has, kNotLoaded for plugins that can't be loaded.
ExitCode CodeOfChoice(const litert::Error& error);

// To stderr: placement rules that matched nothing, partitions that did not compile, with the ops that stayed on the CPU.
void WarnAbout(const ApplyResult& applied);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_DELEGATION_FLAGS_H_
