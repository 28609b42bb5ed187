// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit explain: asks a plugin about a model, compiles nothing, and prints where each op would run
// and why.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/packages/packaged_op.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/delegation_flags.h"
#include "sdk/tools/flags/op_package_flags.h"
#include "sdk/tools/reports/placement_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainArguments {
  std::string model;
  std::string plugin_dir;
  std::string soc;
  DelegationFlags delegation;
  OpPackageFlags op_packages;
  bool keep_dynamic = false;
  bool json = false;
};

void PrintPlan(const ExplainArguments& arguments, const std::string& plugins,
               const PartitionPlan& plan) {
  const PartitionedModel& result = plan.partitioned;
  const Json placement = PlacementJson(result.ops, result.partitions.size());
  for (const std::string& warning : plan.warnings) Warn(warning);
  if (arguments.json) {
    PrintJson(Json{{"model", arguments.model},
                   {"plugin", plugins},
                   {"soc", arguments.soc},
                   {"placement", placement},
                   {"ops", OpsJson(result.ops)},
                   {"warnings", plan.warnings}});
    return;
  }
  fmt::print("{} with {}: {} of {} ops on the NPU, partitions: {}\n{}", arguments.model, plugins,
             placement["npu_ops"].get<size_t>(), result.ops.size(), result.partitions.size(),
             OpsText(result.ops));
}

// Named plugins together, in order.
int ExplainAll(const ExplainArguments& arguments, const Model& model,
               const std::vector<LoadedPlugin>& plugins, const ApplyOptions& options) {
  std::vector<const LoadedPlugin*> all;
  std::string names;
  for (const LoadedPlugin& plugin : plugins) {
    all.push_back(&plugin);
    names += (names.empty() ? "" : ", ") + plugin.manufacturer();
  }
  if (plugins.size() == 1) {
    if (auto compatible = all[0]->CheckCompatibility(arguments.soc); !compatible)
      return Fail(kWrongUsage, compatible.Error());
  }
  const auto plan = PlanPartitions(model, all, options);
  if (!plan) return Fail(kFailed, plan.Error());
  PrintPlan(arguments, names, *plan);
  return kDone;
}

// The first plugin that takes something of the model; if none does, what the first one says.
int ExplainFirst(const ExplainArguments& arguments, const Model& model,
                 const std::vector<LoadedPlugin>& plugins, const ApplyOptions& options) {
  size_t chosen = 0;
  litert::Expected<PartitionPlan> best = litert::Error(kLiteRtStatusErrorNotFound, "no plugin");
  for (size_t i = 0; i < plugins.size(); ++i) {
    const LoadedPlugin* plugin = &plugins[i];
    if (auto compatible = plugin->CheckCompatibility(arguments.soc); !compatible) {
      if (plugins.size() == 1) return Fail(kWrongUsage, compatible.Error());
      if (!best) best = litert::Error(compatible.Error());
      continue;
    }
    auto result = PlanPartitions(model, std::span(&plugin, 1), options);
    const bool takes_something = result && !result->partitioned.partitions.empty();
    if (i == 0 || takes_something || (result && !best)) {
      best = std::move(result);
      chosen = i;
    }
    if (takes_something) break;
  }
  if (!best) return Fail(kFailed, best.Error());
  PrintPlan(arguments, plugins[chosen].manufacturer(), *best);
  return kDone;
}

int ExplainWith(const ExplainArguments& arguments) {
  const auto wanted = arguments.delegation.Read();
  if (!wanted) return Fail(kWrongUsage, wanted.Error());
  if (auto checked =
          CheckSpecs(arguments.plugin_dir, wanted->plugins, wanted->placement, arguments.soc);
      !checked) {
    return Fail(kWrongUsage, checked.Error());
  }
  auto model = LoadModel(arguments.model);
  if (!model) return Fail(kNotLoaded, model.Error());
  if (!arguments.keep_dynamic) {
    for (const std::string& input : FixDynamicShapes(**model))
      Warn(fmt::format("compiled for the fixed shape {}", input));
  }
  const OpPackages packages = arguments.op_packages.Load();
  auto choice = ChoosePlugins(arguments.plugin_dir, wanted->plugins);
  if (!choice) return Fail(kNotLoaded, choice.Error());
  for (const std::string& reason : choice->skipped) Warn("skipped: " + reason);
  const ApplyOptions options{
      .soc_model = arguments.soc, .placement = wanted->placement, .keep_whole = IsPackagedOp};
  return wanted->plugins.empty() ? ExplainFirst(arguments, **model, choice->plugins, options)
                                 : ExplainAll(arguments, **model, choice->plugins, options);
}

}  // namespace

int Explain(CommandLine& line, int argc, char** argv) {
  ExplainArguments arguments;
  line.Add("MODEL", arguments.model, ".tflite file").Required();
  line.Add("--plugin-dir", arguments.plugin_dir, "folder with compiler plugins").Required();
  line.Add("--soc", arguments.soc, "SoC model (default: the plugin's choice)");
  arguments.delegation.AddTo(line);
  arguments.op_packages.AddTo(line);
  line.AddFlag("--keep-dynamic", arguments.keep_dynamic,
               "leave dynamic dimensions dynamic (default: compile for the values in the file)");
  line.AddFlag("--json", arguments.json, "print JSON: ops[]");
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  return ExplainWith(arguments);
}

}  // namespace npukit::tools
