// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit apply: compiles a model ahead of time and writes the result.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "npukit/compile_spec.h"
#include "npukit/static_plugin.h"
#include "sdk/host/library/linked_plugins.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/compile_flags.h"
#include "sdk/tools/flags/npu_requirement.h"
#include "sdk/tools/reports/placement_report.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ApplyArguments {
  CompileFlags compile;
  std::string output;
  std::string dump_dir;
  NpuRequirement require_npu;
};

// Partitions of one plugin.
Json PartitionsJson(const ApplyResult& applied, const ApplyResult::Share& share) {
  Json partitions = Json::array();
  for (size_t p : share.partitions) {
    const ApplyResult::Partition& partition = applied.partitions[p];
    const ConstantReport::Partition& constants = applied.constants.partitions[p];
    Json specs = Json::array();
    for (const CompileSpec& spec : partition.specs) specs.push_back(spec.key);
    partitions.push_back({{"partition", p},
                          {"entry_point", partition.entry_point},
                          {"module", partition.module},
                          {"ops", partition.ops.size()},
                          {"inputs", partition.dispatch_op->inputs.size()},
                          {"outputs", partition.dispatch_op->outputs.size()},
                          {"owned_constant_bytes", constants.owned_bytes},
                          {"shared_constant_bytes", constants.shared_bytes},
                          {"owned_constants", constants.owned},
                          {"specs", std::move(specs)}});
  }
  return partitions;
}

// What --soc-file or a placement file gave the plugin as its chip; empty: neither did.
std::string SocFileOf(const ApplyResult& applied, const ApplyResult::Share& share) {
  for (size_t p : share.partitions) {
    for (const CompileSpec& spec : applied.partitions[p].specs) {
      if (spec.key == NPUKIT_SPEC_SOC_FILE) return {spec.bytes.begin(), spec.bytes.end()};
    }
  }
  return {};
}

// The chip that the plugin compiled for; empty if it does not say.
std::string SocText(const ApplyResult& applied, const ApplyResult::Share& share) {
  if (const std::string file = SocFileOf(applied, share); !file.empty()) return "as in " + file;
  if (!share.soc_model.empty()) return share.soc_model;
  if (share.first_listed_soc.empty()) return {};
  return share.first_listed_soc + " (the default: the first that the plugin lists)";
}

Json ShareJson(const ApplyResult& applied, const ApplyResult::Share& share) {
  Json modules = Json::array();
  for (size_t m : share.modules) modules.push_back({{"size_bytes", applied.modules[m].size_bytes}});
  size_t npu_ops = 0;
  for (size_t p : share.partitions) npu_ops += applied.partitions[p].ops.size();
  return {
      {"plugin", share.manufacturer},
      {"path", PlaceOf(kNpukitStaticPluginCompiler, share.path)},
      {"soc", SocFileOf(applied, share).empty() && share.soc_model.empty() ? share.first_listed_soc
                                                                           : share.soc_model},
      {"placement", {{"npu_ops", npu_ops}, {"partitions", share.partitions.size()}}},
      {"partitions", PartitionsJson(applied, share)},
      {"modules", std::move(modules)},
      {"compile_ms", static_cast<double>(share.compile_ns) / 1e6}};
}

Json FailuresJson(const ApplyResult& applied) {
  Json failures = Json::array();
  for (const ApplyResult::Failure& failure : applied.failures) {
    failures.push_back(
        {{"plugin", failure.plugin}, {"message", failure.message}, {"culprits", failure.culprits}});
  }
  return failures;
}

void PrintShare(const ApplyResult& applied, const ApplyResult::Share& share) {
  size_t npu_ops = 0;
  for (size_t p : share.partitions) npu_ops += applied.partitions[p].ops.size();
  fmt::print("{}: {} of {} ops on the NPU, partitions: {}\n", share.manufacturer, npu_ops,
             applied.ops.size(), share.partitions.size());
  if (const std::string soc = SocText(applied, share); !soc.empty() && !share.partitions.empty())
    fmt::print("  SoC model: {}\n", soc);
  for (size_t p : share.partitions) {
    const ApplyResult::Partition& partition = applied.partitions[p];
    const ConstantReport::Partition& constants = applied.constants.partitions[p];
    fmt::print(
        "  partition {}: {} ops, entry point {} of module {}, constants: {} bytes of its own, {} "
        "shared\n",
        p, partition.ops.size(), partition.entry_point, partition.module, constants.owned_bytes,
        constants.shared_bytes);
  }
  for (size_t m : share.modules)
    fmt::print("  module {}: {} bytes\n", m, applied.modules[m].size_bytes);
}

// Named plugins together, in order; without names the first that takes something.
litert::Expected<ApplyResult> ApplyChosen(const CompileRequest& request) {
  std::vector<const LoadedPlugin*> all;
  for (const LoadedPlugin& plugin : request.choice.plugins) all.push_back(&plugin);
  if (request.names_plugins) return ApplyPlugins(*request.model, all, request.options);
  const auto apply = [&](const LoadedPlugin& plugin) {
    const LoadedPlugin* const one = &plugin;
    return ApplyPlugins(*request.model, std::span(&one, 1), request.options);
  };
  return FirstThatTakes(request, apply,
                        [](const ApplyResult& applied) { return !applied.partitions.empty(); });
}

void PrintResult(const ApplyArguments& arguments, const ApplyResult& applied) {
  if (arguments.compile.json) {
    Json json = {{"model", arguments.compile.model},
                 {"output", arguments.output},
                 {"soc", arguments.compile.soc},
                 {"placement", PlacementJson(applied.ops, applied.partitions.size())},
                 {"plugins", Json::array()},
                 {"ops", OpsJson(applied.ops)},
                 {"constants",
                  {{"before_bytes", applied.constants.before_bytes},
                   {"after_bytes", applied.constants.after_bytes}}},
                 {"failures", FailuresJson(applied)},
                 {"warnings", applied.warnings},
                 {"partition_ms", static_cast<double>(applied.times.partition_ns) / 1e6},
                 {"compile_ms", static_cast<double>(applied.times.compile_ns) / 1e6}};
    for (const auto& share : applied.shares) json["plugins"].push_back(ShareJson(applied, share));
    PrintJson(json);
  } else {
    for (const auto& share : applied.shares) PrintShare(applied, share);
    fmt::print("constants of the outer graph: {} bytes before, {} after\n{}\n",
               applied.constants.before_bytes, applied.constants.after_bytes, arguments.output);
  }
  WarnAbout(applied);
  if (!applied.partitions.empty()) return;
  const auto dispatched = static_cast<size_t>(std::ranges::count_if(
      applied.ops, [](const auto& op) { return op.op == kDispatchOpCustomCode; }));
  if (dispatched != 0 && dispatched == applied.ops.size()) {
    return Warn(
        fmt::format("{} is compiled already ({} of {} ops are dispatch ops) and is written "
                    "unchanged",
                    arguments.compile.model, dispatched, applied.ops.size()));
  }
  Warn("nothing was selected, so the model is written unchanged; npukit explain says why");
}

int ApplyWith(const ApplyArguments& arguments) {
  std::vector<CompileSpecRequest> specs;
  if (!arguments.dump_dir.empty()) {
    specs.push_back({.spec = {.key = NPUKIT_SPEC_DUMP_DIR,
                              .bytes = {arguments.dump_dir.begin(), arguments.dump_dir.end()}},
                     .where = "--dump-dir"});
  }
  CompileRequest request;
  if (const auto exit_code = arguments.compile.Load(specs, request)) return *exit_code;
  const auto applied = ApplyChosen(request);
  if (!applied) return Fail(CodeOf(request, applied.Error()), applied.Error());
  if (auto met = arguments.require_npu.Check(ShareOf(*request.model, applied->ops), {}); !met) {
    return Fail(kFailed, met.Error());
  }
  if (auto saved = SaveModel(*applied->model, arguments.output); !saved) {
    return Fail(kFailed, saved.Error());
  }
  PrintResult(arguments, *applied);
  return kDone;
}

}  // namespace

int Apply(CommandLine& line, int argc, char** argv) {
  ApplyArguments arguments;
  arguments.compile.AddTo(line, "print JSON: placement, plugins[]");
  line.Add("-o,--output", arguments.output, "file to write").Required();
  arguments.require_npu.AddTo(line);
  line.Add("--dump-dir", arguments.dump_dir,
           "folder for the values of the compiler's stages; short for --spec dump_dir=D");
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  if (auto read = arguments.require_npu.Read(); !read) return Fail(kWrongUsage, read.Error());
  return OnDevice(arguments.compile, [&] { return ApplyWith(arguments); });
}

}  // namespace npukit::tools
