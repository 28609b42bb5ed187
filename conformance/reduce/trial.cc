// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/reduce/trial.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/runner/process/stage.h"
#include "npukit/metrics.h"
#include "sdk/host/model/graph/fixed_shapes.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/plugin/plugin_choice.h"
#include "sdk/host/runtime/diagnostics/numeric_diff.h"
#include "sdk/host/runtime/diagnostics/random_inputs.h"
#include "sdk/host/runtime/packages/packaged_op.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/reports/bench_report.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kTimedRuns = 3;

std::string MessageOf(const litert::Error& error) {
  return error.Message().empty() ? error.ToString() : error.Message();
}

Observed Ended(Ending ending, std::string message) {
  return {.ending = ending, .message = std::move(message)};
}

Ending EndingOf(Fallback fallback) {
  switch (fallback) {
    case Fallback::kNotCompiled:
      return Ending::kCompileFails;
    case Fallback::kNotDispatched:
      return Ending::kLoadFails;
    case Fallback::kNotLoaded:
      return Ending::kNotLoaded;
    case Fallback::kWrongRequest:
      return Ending::kWrongRequest;
    case Fallback::kNone:
    case Fallback::kNothingSelected:
      break;
  }
  return Ending::kNotOnNpu;
}

// What no file gives is random, as in `npukit run`.
void Fill(SignatureRunner& runner, const std::vector<std::vector<uint8_t>>& inputs) {
  FillRandomInputs(runner, 1);
  for (size_t i = 0; i < std::min(inputs.size(), runner.inputs().size()); ++i)
    (void)runner.SetInput(i, inputs[i]);
}

litert::Expected<void> AddTimes(SignatureRunner& runner, Observed& observed) {
  for (int i = 0; i < kTimedRuns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (auto ran = runner.Run(); !ran) return ran;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    // What disturbs a run makes it slower, never faster.
    observed.run_ms = std::min(observed.run_ms.value_or(took.count()), took.count());
  }
  // In a run of its own: to collect them takes time.
  if (!runner.StartMetrics(NPUKIT_METRICS_DETAIL_PER_OP)) return {};
  runner.EnableStepTimes(true);
  if (auto ran = runner.Run(); !ran) return ran;
  const auto metrics = runner.StopMetrics();
  if (!metrics) return {};
  observed.cycles =
      tools::MakeBenchReport(runner.steps(), runner.step_times(), *metrics, {*observed.run_ms})
          .cycles;
  return {};
}

// Values beyond their bounds; integers that differ where no bound is known, too.
Observed Compare(const TrialModel& model, const TrialSettings& settings, SignatureRunner& npu) {
  auto parsed = ParseModel(SharedBytes::Copy(model.file));
  if (!parsed) return Ended(Ending::kNotOnNpu, MessageOf(parsed.Error()));
  SessionOptions options = settings.session;
  options.plugin_dir.clear();
  options.dispatch_dir.clear();
  options.jit = false;
  options.keep_intermediates = true;  // what leaves a partition need not be an output of the model
  auto cpu = Session::Create(std::move(*parsed), std::move(options));
  if (!cpu) return Ended(Ending::kFine, "not compared: " + MessageOf(cpu.Error()));
  SignatureRunner& runner = (*cpu)->default_runner();
  Fill(runner, model.inputs);
  const auto diff = DiffRuns((*cpu)->model(), runner, npu);
  if (!diff) return Ended(Ending::kFine, "not compared: " + MessageOf(diff.Error()));
  for (const TensorDiff& tensor : diff->tensors) {
    if (!tensor.verdict || tensor.verdict->kind == BoundVerdict::Kind::kWithin) continue;
    const bool is_integer = tensor.isolated && tensor.isolated->max_steps;
    if (tensor.verdict->kind == BoundVerdict::Kind::kNotKnown && !is_integer) continue;
    return Ended(Ending::kDiffers, "'" + tensor.port.name + "': " + tensor.verdict->detail);
  }
  return {};
}

Json ToJson(const std::vector<OpSet>& sets) {
  Json json = Json::array();
  for (const OpSet& ops : sets) json.push_back(ops);
  return json;
}

}  // namespace

Observed TryModel(const TrialModel& model, const TrialSettings& settings) {
  SetStage("reading the model");
  auto parsed = ParseModel(SharedBytes::Copy(model.file));
  if (!parsed) return Ended(Ending::kNotOnNpu, MessageOf(parsed.Error()));
  const bool is_compiled = HasDispatchOps(**parsed);
  SessionOptions options = settings.session;
  options.jit = true;
  options.keep_intermediates = settings.wants_diff;
  SetStage("compiling and loading");
  auto session = Session::Create(std::move(*parsed), std::move(options));
  if (!session) {
    return Ended(is_compiled ? Ending::kLoadFails : Ending::kNotOnNpu, MessageOf(session.Error()));
  }
  const SessionPlacement& placement = (*session)->placement();
  if (!placement.fallback_reason.empty() || placement.npu_ops == 0)
    return Ended(EndingOf(placement.fallback), placement.fallback_reason);
  SignatureRunner& runner = (*session)->default_runner();
  Fill(runner, model.inputs);
  SetStage("running");
  if (auto ran = runner.Run(); !ran) return Ended(Ending::kRunFails, MessageOf(ran.Error()));
  Observed observed;
  if (settings.wants_times) {
    if (auto timed = AddTimes(runner, observed); !timed)
      return Ended(Ending::kRunFails, MessageOf(timed.Error()));
  }
  if (settings.wants_diff && !is_compiled) observed = Compare(model, settings, runner);
  SetStage("closing");
  if (auto closed = (*session)->Close(); !closed && observed.ending == Ending::kFine)
    return Ended(Ending::kRunFails, MessageOf(closed.Error()));
  return observed;
}

std::vector<OpSet> PlanOf(std::span<const uint8_t> file, size_t subgraph,
                          const TrialSettings& settings) {
  SetStage("asking the plugins");
  auto model = ParseModel(SharedBytes::Copy(file));
  if (!model) return {};
  FixDynamicShapes(**model);
  auto choice = ChoosePlugins(settings.session.plugin_dir, settings.session.plugins);
  if (!choice) return {};
  const ApplyOptions options{.soc_model = settings.session.soc,
                             .placement = settings.session.placement,
                             .keep_whole = IsPackagedOp};
  const bool together = !settings.session.plugins.empty();
  std::vector<const LoadedPlugin*> all;
  for (const LoadedPlugin& plugin : choice->plugins) all.push_back(&plugin);
  for (size_t i = 0; i < all.size(); ++i) {
    const auto plan =
        PlanPartitions(**model, together ? std::span(all) : std::span(all).subspan(i, 1), options);
    std::map<int, OpSet> partitions;
    for (const PlacedOp& op : plan ? plan->partitioned.ops : std::vector<PlacedOp>()) {
      if (op.partition >= 0 && op.subgraph == subgraph) partitions[op.partition].insert(op.index);
    }
    std::vector<OpSet> sets;
    for (auto& [number, ops] : partitions) sets.push_back(std::move(ops));
    if (!sets.empty() || together) return sets;
  }
  return {};
}

std::string ToText(const std::vector<OpSet>& sets) { return tools::JsonText(ToJson(sets)); }

std::vector<OpSet> ParseOpSets(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  std::vector<OpSet> sets;
  if (!json.is_array()) return sets;
  for (const Json& list : json) {
    OpSet ops;
    for (const Json& op : list) {
      if (op.is_number_unsigned()) ops.insert(op.get<uint32_t>());
    }
    sets.push_back(std::move(ops));
  }
  return sets;
}

}  // namespace npukit::conformance
