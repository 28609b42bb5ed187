// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit explain: asks a plugin about a model, compiles nothing, and prints where each op would run
// and why.

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sdk/host/model/fixed_shapes.h"
#include "sdk/host/model/model_reader.h"
#include "sdk/host/plugin/apply.h"
#include "sdk/tools/command_line.h"
#include "sdk/tools/placement_report.h"
#include "sdk/tools/plugin_choice.h"

NPUKIT_VERB("explain", "print for each op of a model where it runs, and why not on the NPU")

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string model;
  std::string plugin_dir;
  std::string soc;
  std::string plugin;
  bool keep_dynamic = false;
  bool json = false;
};

void Print(const Arguments& arguments, const CompilerPlugin& plugin,
           const PartitionedModel& result) {
  const Json placement = PlacementJson(result.records, result.partitions.size());
  if (arguments.json) {
    PrintJson(Json{{"model", arguments.model},
                   {"plugin", plugin.manufacturer()},
                   {"soc", arguments.soc},
                   {"placement", placement},
                   {"ops", OpsJson(result.records)}});
    return;
  }
  std::cout << arguments.model << " with " << plugin.manufacturer() << ": "
            << placement["npu_ops"].get<size_t>() << " of " << result.records.size()
            << " ops on the NPU, partitions: " << result.partitions.size() << "\n";
  PrintOps(std::cout, result.records);
}

// The first plugin that takes something of the model; if none does, what the first one says.
int Run(const Arguments& arguments) {
  auto model = LoadModel(arguments.model);
  if (!model) return Fail(kNotLoaded, model.Error());
  if (!arguments.keep_dynamic) {
    for (const std::string& input : FixDynamicShapes(**model)) {
      std::cerr << "compiled for the fixed shape " << input << "\n";
    }
  }
  std::vector<std::string> names;
  if (!arguments.plugin.empty()) names.push_back(arguments.plugin);
  auto choice = ChoosePlugins(arguments.plugin_dir, names);
  if (!choice) return Fail(kNotLoaded, choice.Error());
  for (const std::string& reason : choice->skipped) std::cerr << "skipped: " << reason << "\n";

  size_t chosen = 0;
  litert::Expected<PartitionedModel> best = litert::Error(kLiteRtStatusErrorNotFound, "no plugin");
  for (size_t i = 0; i < choice->plugins.size(); ++i) {
    const CompilerPlugin& plugin = choice->plugins[i];
    if (auto compatible = plugin.CheckCompatibility(arguments.soc); !compatible) {
      if (choice->plugins.size() == 1) return Fail(kWrongUsage, compatible.Error());
      if (!best) best = litert::Error(compatible.Error());
      continue;
    }
    auto result = PartitionForPlugin(**model, plugin, {.soc_model = arguments.soc});
    const bool takes_something = result && !result->partitions.empty();
    if (i == 0 || takes_something || (result && !best)) {
      best = std::move(result);
      chosen = i;
    }
    if (takes_something) break;
  }
  if (!best) return Fail(kFailed, best.Error());
  Print(arguments, choice->plugins[chosen], *best);
  return kDone;
}

}  // namespace
}  // namespace npukit::tools

int main(int argc, char** argv) {
  using namespace npukit::tools;
  CLI::App app(VerbHelp());
  Arguments arguments;
  app.add_option("MODEL", arguments.model, ".tflite file")->required();
  app.add_option("--plugin-dir", arguments.plugin_dir, "folder with compiler plugins")->required();
  app.add_option("--soc", arguments.soc, "SoC model (default: the plugin's choice)");
  app.add_option("--plugin", arguments.plugin, "plugin by manufacturer, if the folder has several");
  app.add_flag("--keep-dynamic", arguments.keep_dynamic,
               "leave dynamic dimensions dynamic (default: compile for the values in the file)");
  app.add_flag("--json", arguments.json, "print JSON: ops[]");
  if (std::optional<int> exit_code = Parse(app, argc, argv)) return *exit_code;
  return Run(arguments);
}
