// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options that apply and explain have in common, and what they name: a model, the plugins that
// are asked about it, and what the user wants of them.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model.h"
#include "sdk/host/placement/apply_options.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/packages/op_packages.h"
#include "sdk/tools/flags/delegation_flags.h"
#include "sdk/tools/flags/op_package_flags.h"

namespace npukit::tools {

class CommandLine;

// The plugins are asked while the packages are loaded.
struct CompileRequest {
  std::unique_ptr<Model> model;
  OpPackages packages;
  PluginChoice choice;
  bool names_plugins = false;  // those take part together; else the first that takes something
  ApplyOptions options;
};

struct CompileFlags {
  std::string model;
  std::string plugin_dir;
  std::string soc;
  DelegationFlags delegation;
  OpPackageFlags op_packages;
  bool keep_dynamic = false;
  bool json = false;

  void AddTo(CommandLine& line, const std::string& json_help);
  // Loads what the options name, with `specs` beside those of the options. The exit code, after
  // saying why, if that does not work.
  std::optional<int> Load(const std::vector<CompileSpecRequest>& specs,
                          CompileRequest& request) const;
};

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_
