// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit apply: compiles a model ahead of time and writes the result.

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sdk/host/model/fixed_shapes.h"
#include "sdk/host/model/model_reader.h"
#include "sdk/host/model/model_writer.h"
#include "sdk/host/plugin/apply.h"
#include "sdk/tools/command_line.h"
#include "sdk/tools/placement_report.h"
#include "sdk/tools/plugin_choice.h"

NPUKIT_VERB("apply", "compile a model for an NPU ahead of time")

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string model;
  std::string output;
  std::string plugin_dir;
  std::string soc;
  std::vector<std::string> plugins;
  bool keep_dynamic = false;
  bool json = false;
};

Json StepJson(const CompilerPlugin& plugin, const ApplyResult& result) {
  Json partitions = Json::array();
  for (const ApplyResult::Partition& partition : result.partitions) {
    partitions.push_back({{"entry_point", partition.entry_point},
                          {"module", partition.module},
                          {"ops", partition.ops.size()},
                          {"inputs", partition.call->inputs.size()},
                          {"outputs", partition.call->outputs.size()}});
  }
  Json modules = Json::array();
  for (const ApplyResult::Module& module : result.modules) {
    modules.push_back({{"size_bytes", module.size_bytes}});
  }
  return {{"plugin", plugin.manufacturer()},
          {"path", plugin.path()},
          {"placement", PlacementJson(result.ops, result.partitions.size())},
          {"partitions", std::move(partitions)},
          {"modules", std::move(modules)},
          {"ops", OpsJson(result.ops)},
          {"partition_ms", static_cast<double>(result.times.partition_ns) / 1e6},
          {"compile_ms", static_cast<double>(result.times.compile_ns) / 1e6}};
}

void PrintStep(const CompilerPlugin& plugin, const ApplyResult& result) {
  const Json placement = PlacementJson(result.ops, result.partitions.size());
  std::cout << plugin.manufacturer() << ": " << placement["npu_ops"].get<size_t>() << " of "
            << result.ops.size() << " ops on the NPU, partitions: " << result.partitions.size()
            << "\n";
  for (size_t p = 0; p < result.partitions.size(); ++p) {
    const ApplyResult::Partition& partition = result.partitions[p];
    std::cout << "  partition " << p << ": " << partition.ops.size() << " ops, entry point "
              << partition.entry_point << " of module " << partition.module << "\n";
  }
  for (size_t m = 0; m < result.modules.size(); ++m) {
    std::cout << "  module " << m << ": " << result.modules[m].size_bytes << " bytes\n";
  }
}

struct Step {
  const CompilerPlugin* plugin = nullptr;
  ApplyResult result;
};

// With names every plugin in turn, each on what the one before left; without, the first that takes
// something.
litert::Expected<std::vector<Step>> ApplyAll(const Model& model,
                                             const std::vector<CompilerPlugin>& plugins,
                                             const Arguments& arguments) {
  std::vector<Step> steps;
  for (const CompilerPlugin& plugin : plugins) {
    const Model& input = steps.empty() ? model : *steps.back().result.model;
    auto result = ApplyPlugin(input, plugin, {.soc_model = arguments.soc});
    if (!result) return result.Error();
    const bool takes_something = !result->partitions.empty();
    if (!arguments.plugins.empty()) {
      steps.push_back({&plugin, std::move(*result)});
    } else if (takes_something || steps.empty()) {
      steps.clear();
      steps.push_back({&plugin, std::move(*result)});
      if (takes_something) break;
    }
  }
  return steps;
}

void Report(const Arguments& arguments, const std::vector<Step>& steps) {
  size_t partitions = 0;
  for (const Step& step : steps) partitions += step.result.partitions.size();
  if (arguments.json) {
    Json json = {{"model", arguments.model},
                 {"output", arguments.output},
                 {"soc", arguments.soc},
                 {"placement", PlacementJson(steps.back().result.ops, partitions)},
                 {"plugins", Json::array()}};
    for (const Step& step : steps) json["plugins"].push_back(StepJson(*step.plugin, step.result));
    PrintJson(json);
  } else {
    for (const Step& step : steps) PrintStep(*step.plugin, step.result);
    std::cout << arguments.output << "\n";
  }
  if (partitions == 0) {
    std::cerr << "npukit apply: nothing was selected, so the model is written unchanged; "
                 "npukit explain says why\n";
  }
}

int Run(const Arguments& arguments) {
  auto model = LoadModel(arguments.model);
  if (!model) return Fail(kNotLoaded, model.Error());
  if (!arguments.keep_dynamic) {
    for (const std::string& input : FixDynamicShapes(**model)) {
      std::cerr << "compiled for the fixed shape " << input << "\n";
    }
  }
  auto choice = ChoosePlugins(arguments.plugin_dir, arguments.plugins);
  if (!choice) return Fail(kNotLoaded, choice.Error());
  for (const std::string& reason : choice->skipped) std::cerr << "skipped: " << reason << "\n";
  if (choice->plugins.size() == 1) {
    if (auto compatible = choice->plugins[0].CheckCompatibility(arguments.soc); !compatible) {
      return Fail(kWrongUsage, compatible.Error());
    }
  }
  const auto steps = ApplyAll(**model, choice->plugins, arguments);
  if (!steps) return Fail(kFailed, steps.Error());
  if (auto saved = SaveModel(*steps->back().result.model, arguments.output); !saved) {
    return Fail(kFailed, saved.Error());
  }
  Report(arguments, *steps);
  return kDone;
}

}  // namespace
}  // namespace npukit::tools

int main(int argc, char** argv) {
  using namespace npukit::tools;
  CLI::App app(VerbHelp());
  Arguments arguments;
  app.add_option("MODEL", arguments.model, ".tflite file")->required();
  app.add_option("-o,--output", arguments.output, "file to write")->required();
  app.add_option("--plugin-dir", arguments.plugin_dir, "folder with compiler plugins")->required();
  app.add_option("--soc", arguments.soc, "SoC model (default: the plugin's choice)");
  app.add_option("--plugin", arguments.plugins,
                 "plugin by manufacturer; given several times they are applied one after the other")
      ->allow_extra_args(false);
  app.add_flag("--keep-dynamic", arguments.keep_dynamic,
               "leave dynamic dimensions dynamic (default: compile for the values in the file)");
  app.add_flag("--json", arguments.json, "print JSON: placement, plugins[]");
  if (std::optional<int> exit_code = Parse(app, argc, argv)) return *exit_code;
  return Run(arguments);
}
