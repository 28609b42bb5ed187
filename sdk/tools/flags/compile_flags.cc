// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/tools/flags/compile_flags.h"

#include <fmt/format.h>

#include <utility>

#include "sdk/host/folding/fold_constants.h"
#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/runtime/packages/packaged_op.h"
#include "sdk/tools/flags/plugin_suggestions.h"

namespace npukit::tools {

ExitCode CodeOf(const CompileRequest& request, const litert::Error& error) {
  return IsAboutRequest(request.options.placement, error.Message()) ? kWrongUsage : kFailed;
}

void CompileFlags::AddTo(CommandLine& line, const std::string& json_help) {
  line.Add("MODEL", model, ".tflite file").Required();
  line.Add("--plugin-dir", plugin_dir,
           "folder with compiler plugins; DIR/** includes all folders below");
  line.Add("--soc", soc, "SoC model (default: the plugin's choice)");
  delegation.AddTo(line);
  SuggestPluginsAndSocs(line, plugin_dir);
  device.AddTo(line);
  device.AddCompilingTo(line);
  op_packages.AddTo(line);
  line.AddFlag("--keep-dynamic", keep_dynamic,
               "leave dynamic dimensions dynamic (default: compile for the values in the file)");
  line.AddFlag("--json", json, json_help);
}

std::optional<int> CompileFlags::Load(const std::vector<CompileSpecRequest>& specs,
                                      CompileRequest& request) const {
  auto wanted = delegation.Read();
  if (!wanted) return Fail(kWrongUsage, wanted.Error());
  PlacementRequest& placement = wanted->placement;
  placement.specs.insert(placement.specs.end(), specs.begin(), specs.end());
  const std::string compilers = device.CompilerFolder(plugin_dir);
  if (auto checked = CheckPlacedPlugins(compilers, *wanted); !checked)
    return Fail(kWrongUsage, checked.Error());
  if (auto checked = CheckSpecs(compilers, wanted->plugins, placement, soc); !checked)
    return Fail(kWrongUsage, checked.Error());
  if (auto there = op_packages.Check(); !there) return Fail(kNotLoaded, there.Error());
  auto loaded = LoadModel(model);
  if (!loaded) return Fail(kNotLoaded, loaded.Error());
  if (!keep_dynamic) {
    for (const std::string& input : FixDynamicShapes(**loaded))
      Warn(fmt::format("compiled for the fixed shape {}", input));
  }
  request.packages = op_packages.Load();
  auto choice = ChoosePlugins(compilers, wanted->plugins);
  if (!choice) return Fail(CodeOfChoice(choice.Error()), choice.Error());
  for (const std::string& reason : choice->skipped) Warn("skipped: " + reason);
  if (choice->plugins.size() == 1) {
    if (auto compatible = choice->plugins[0].CheckCompatibility(soc); !compatible)
      return Fail(kWrongUsage, compatible.Error());
  }
  request.model = std::move(*loaded);
  request.choice = std::move(*choice);
  request.names_plugins = !wanted->plugins.empty();
  request.options = {.soc_model = soc,
                     .placement = std::move(placement),
                     .keep_whole = IsPackagedOp,
                     .before_plugins = wanted->fold_constants ? FoldConstants : nullptr,
                     .on_compile_failure = wanted->on_compile_failure};
  return std::nullopt;
}

int OnDevice(CompileFlags& flags, const std::function<int()>& work) {
  if (const auto wrong = flags.device.CheckFolders(flags.plugin_dir)) return *wrong;
  if (flags.device.is_asked() && !flags.device.compiles_on_device)
    return Fail(kWrongUsage, "nothing runs on the device of --device without --compile-on-device");
  const std::string vendors = fmt::format("{}", fmt::join(flags.delegation.plugins, ","));
  return OnDevice(flags.device, flags.plugin_dir, vendors, work);
}

}  // namespace npukit::tools
