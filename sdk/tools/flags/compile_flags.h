// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The options that apply and explain have in common, and what they name: a model, the plugins that
// are asked about it, and what the user wants of them.

#ifndef NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_
#define NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/placement/apply_options.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/packages/op_packages.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/flags/delegation_flags.h"
#include "sdk/tools/flags/device_flags.h"
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

// kWrongUsage for an error about a rule or a compile spec that the user gave, else kFailed.
ExitCode CodeOf(const CompileRequest& request, const litert::Error& error);

// What `work` gives, asked about one plugin after the other, for the first that takes something of
// the model, as `takes_something` tells. Where none does: the first error, else what the first gave.
template <typename Work, typename TakesSomething>
auto FirstThatTakes(const CompileRequest& request, Work work, TakesSomething takes_something)
    -> decltype(work(std::declval<const LoadedPlugin&>())) {
  using Result = decltype(work(std::declval<const LoadedPlugin&>()));
  std::optional<Result> failed;
  std::optional<Result> empty;
  for (const LoadedPlugin& plugin : request.choice.plugins) {
    const auto compatible = plugin.CheckCompatibility(request.options.soc_model);
    Result result = compatible ? work(plugin) : Result(litert::Unexpected(compatible.Error()));
    if (result && takes_something(*result)) return result;
    std::optional<Result>& kept = result ? empty : failed;
    if (!kept) kept.emplace(std::move(result));
  }
  return failed ? std::move(*failed) : std::move(*empty);
}

struct CompileFlags {
  std::string model;
  std::string plugin_dir;
  std::string soc;
  DelegationFlags delegation;
  DeviceFlags device{.dispatches = false};
  OpPackageFlags op_packages;
  bool keep_dynamic = false;
  bool json = false;

  void AddTo(CommandLine& line, const std::string& json_help);
  // Loads what the options name, with `specs` beside those of the options. The exit code, after
  // saying why, if that does not work.
  std::optional<int> Load(const std::vector<CompileSpecRequest>& specs,
                          CompileRequest& request) const;
};

// As OnDevice() of device_flags.h, with the plugin that --plugin names. Nothing but compiling can be done there.
int OnDevice(CompileFlags& flags, const std::function<int()>& work);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_FLAGS_COMPILE_FLAGS_H_
