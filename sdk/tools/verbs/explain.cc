// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// npukit explain: asks a plugin about a model, compiles nothing, and prints where each op would run
// and why.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "litert/cc/litert_macros.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/shapes/run_time_shapes.h"
#include "sdk/host/placement/apply.h"
#include "sdk/tools/command_line/command_line.h"
#include "sdk/tools/command_line/verb.h"
#include "sdk/tools/flags/compile_flags.h"
#include "sdk/tools/reports/placement_report.h"
#include "sdk/tools/reports/placement_summary.h"

namespace npukit::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainFlags : CompileFlags {
  bool summary = false;
};

// Those of the plan, and what the user can do where the CPU computes with shapes.
std::vector<std::string> Warnings(const ExplainFlags& arguments, const PartitionPlan& plan) {
  std::vector<std::string> warnings = plan.warnings;
  const bool left = std::ranges::any_of(plan.partitioned.ops, [](const PlacedOp& op) {
    const std::optional<LiteRtOpCode> code = OpCodeFromName(op.op);
    return !op.is_on_npu() && code && ReadsOnlyShapes(*code);
  });
  if (left && !arguments.delegation.fold_constants) {
    warnings.emplace_back(
        "the CPU computes shapes that are fixed: --fold-constants computes them, and what follows "
        "from them, beforehand");
  }
  return warnings;
}

void PrintPlan(const ExplainFlags& arguments, const Model& model, const std::string& plugins,
               const PartitionPlan& plan) {
  const PartitionedModel& result = plan.partitioned;
  const Json placement = PlacementJson(result.ops, result.partitions.size());
  const std::vector<std::string> warnings = Warnings(arguments, plan);
  for (const std::string& warning : warnings) Warn(warning);
  if (arguments.json) {
    PrintJson(Json{{"model", arguments.model},
                   {"plugin", plugins},
                   {"soc", arguments.soc},
                   {"placement", placement},
                   {"summary", ToJson(Summarize(model, result.ops))},
                   {"ops", OpsJson(result.ops)},
                   {"warnings", warnings}});
    return;
  }
  fmt::print("{} with {}: {} of {} ops on the NPU, partitions: {}\n{}", arguments.model, plugins,
             placement["npu_ops"].get<size_t>(), result.ops.size(), result.partitions.size(),
             arguments.summary ? ToText(Summarize(model, result.ops)) : OpsText(result.ops));
}

// Named plugins together, in order.
int ExplainAll(const ExplainFlags& arguments, const CompileRequest& request) {
  std::vector<const LoadedPlugin*> all;
  std::string names;
  for (const LoadedPlugin& plugin : request.choice.plugins) {
    all.push_back(&plugin);
    names += (names.empty() ? "" : ", ") + plugin.manufacturer();
  }
  const auto plan = PlanPartitions(*request.model, all, request.options);
  if (!plan) return Fail(CodeOf(request, plan.Error()), plan.Error());
  PrintPlan(arguments, *request.model, names, *plan);
  return kDone;
}

int ExplainFirst(const ExplainFlags& arguments, const CompileRequest& request) {
  struct Explained {
    std::string plugin;
    PartitionPlan plan;
  };
  const auto explain = [&](const LoadedPlugin& plugin) -> litert::Expected<Explained> {
    const LoadedPlugin* const one = &plugin;
    LITERT_ASSIGN_OR_RETURN(PartitionPlan plan,
                            PlanPartitions(*request.model, std::span(&one, 1), request.options));
    return Explained{.plugin = plugin.manufacturer(), .plan = std::move(plan)};
  };
  const auto explained = FirstThatTakes(request, explain, [](const Explained& it) {
    return !it.plan.partitioned.partitions.empty();
  });
  if (!explained) return Fail(CodeOf(request, explained.Error()), explained.Error());
  PrintPlan(arguments, *request.model, explained->plugin, explained->plan);
  return kDone;
}

}  // namespace

int Explain(CommandLine& line, int argc, char** argv) {
  ExplainFlags arguments;
  arguments.AddTo(line, "print JSON: summary, ops[]");
  line.AddFlag("--summary", arguments.summary,
               "ops and MACs left on the CPU by reason, in place of a line for each op");
  if (std::optional<int> exit_code = line.Parse(argc, argv)) return *exit_code;
  return OnDevice(arguments, [&] {
    CompileRequest request;
    if (const auto exit_code = arguments.Load({}, request)) return *exit_code;
    return request.names_plugins ? ExplainAll(arguments, request)
                                 : ExplainFirst(arguments, request);
  });
}

}  // namespace npukit::tools
