// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/observed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/guarded_replay.h"
#include "conformance/runner/checks/measured_run.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/vendor/compile_specs.h"
#include "litert/cc/litert_macros.h"
#include "npukit/metrics.h"
#include "sdk/host/model/graph/find_signature.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/placement/preparation.h"
#include "sdk/host/plugin/loaded_plugin.h"
#include "sdk/host/runtime/packages/packaged_op.h"

namespace npukit::conformance {
namespace {

std::vector<uint8_t> BytesOf(const SignatureRunner& runner, const Tensor& tensor) {
  const std::span<const uint8_t> bytes = runner.TensorBytes(tensor);
  return {bytes.begin(), bytes.end()};
}

// The placement that `npukit apply` finds, by the plugin's own selections.
litert::Expected<PartitionedModel> ObservePartitions(const Model& model, const LoadedPlugin* plugin,
                                                     Cut cut) {
  auto selector = [&](Subgraph& subgraph) -> litert::Expected<SelectorAnswer> {
    SetStage("LiteRtCompilerPluginPartition");
    LITERT_ASSIGN_OR_RETURN(const ObservedSelection observed,
                            Witness::Get().Observe<ObservedSelection>(
                                "selection", [&]() -> litert::Expected<ObservedSelection> {
                                  LITERT_ASSIGN_OR_RETURN(const SelectorAnswer answer,
                                                          plugin->Partition("", subgraph));
                                  return ObservedSelection::Of(subgraph, answer.selection);
                                }));
    SelectorAnswer answer{.selection = observed.In(subgraph), .remarks = {}};
    if (cut == Cut::kAsUsers) return answer;
    // Ops of different indices share no partition.
    for (size_t i = 0; i < answer.selection.size(); ++i)
      answer.selection[i].partition_index = static_cast<LiteRtParamIndex>(i);
    return answer;
  };
  return PartitionBySelector(model, selector, IsPackagedOp);
}

// A plugin that rewrites the model before it selects brings the partitions of what it made of it.
litert::Expected<PartitionedModel> ObserveRewrittenPartitions(const Model& model,
                                                              const LoadedPlugin* plugin,
                                                              const ApplyOptions& options) {
  PartitionedModel parts;
  LITERT_ASSIGN_OR_RETURN(
      std::vector<uint8_t> bytes,
      Witness::Get().Observe<std::vector<uint8_t>>(
          "rewritten partitions", [&]() -> litert::Expected<std::vector<uint8_t>> {
            const LoadedPlugin* const plugins[] = {plugin};
            LITERT_ASSIGN_OR_RETURN(const PartitionPlan plan,
                                    PlanPartitions(model, plugins, options));
            return SerializeModel(*plan.partitioned.bodies);
          }));
  LITERT_ASSIGN_OR_RETURN(parts.bodies, ParseModel(SharedBytes::Take(std::move(bytes))));
  parts.partitions.resize(parts.bodies->subgraphs().size());
  return parts;
}

std::string SizeProblem(const std::vector<Tensor*>& tensors,
                        const std::vector<std::vector<uint8_t>>& values, const char* what) {
  if (values.size() != tensors.size())
    return fmt::format("{} {}s, expected {}", values.size(), what, tensors.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<uint64_t> bytes = DenseBytes(tensors[i]->element_type, tensors[i]->shape);
    if (bytes && values[i].size() != *bytes)
      return fmt::format("{} {} has {} bytes, expected {}", what, i, values[i].size(), *bytes);
  }
  return {};
}

// The subgraph that a signature runs.
const Subgraph* EntryOf(const Model& model, const std::string& key) {
  if (model.signatures.empty()) return &model.subgraph(0);
  const Signature* signature = FindSignature(model, key);
  return signature == nullptr ? nullptr : signature->subgraph;
}

// Whether a partition got what it says: what the kit gave to the model, and what another partition
// gave. What ops on the CPU gave stays the worker's word.
std::string InputsProblem(const PartitionedModel& parts, const ObservedRun& run,
                          const Subgraph& entry, const InputSet& given) {
  std::map<const Tensor*, const std::vector<uint8_t>*> known;
  for (size_t i = 0; i < given.size(); ++i) known[entry.inputs[i]] = &given[i];
  std::set<const Op*> in_entry;
  for (const auto& op : entry.ops()) in_entry.insert(op.get());
  for (size_t p = 0; p < parts.partitions.size(); ++p) {
    const Op* call = parts.partitions[p].dispatch_op;
    if (call == nullptr || !in_entry.contains(call)) continue;
    if (!run.calls[p].ran) return fmt::format("partition {} did not run", p);
    for (size_t i = 0; i < call->outputs.size() && i < run.calls[p].outputs.size(); ++i)
      known[call->outputs[i]] = &run.calls[p].outputs[i];
  }
  for (size_t p = 0; p < parts.partitions.size(); ++p) {
    const Op* call = parts.partitions[p].dispatch_op;
    if (call == nullptr || !in_entry.contains(call)) continue;
    for (size_t i = 0; i < call->inputs.size() && i < run.calls[p].inputs.size(); ++i) {
      const auto value = known.find(call->inputs[i]);
      if (value != known.end() && *value->second != run.calls[p].inputs[i])
        return fmt::format("input {} of partition {} is not what it was given", i, p);
    }
  }
  return {};
}

std::string RunProblem(const PartitionedModel& parts, const ObservedRun& run) {
  if (run.calls.size() != parts.partitions.size()) {
    return fmt::format("the compiled model has {} dispatch ops, expected {}", run.calls.size(),
                       parts.partitions.size());
  }
  for (size_t p = 0; p < run.calls.size(); ++p) {
    if (!run.calls[p].ran) continue;
    const Subgraph& body = parts.bodies->subgraph(p);
    std::string problem = SizeProblem(body.inputs, run.calls[p].inputs, "input");
    if (problem.empty()) problem = SizeProblem(body.outputs, run.calls[p].outputs, "output");
    if (!problem.empty()) return fmt::format("partition {}: {}", p, problem);
  }
  return {};
}

bool IsFixed(const Subgraph& entry) {
  return std::none_of(entry.inputs.begin(), entry.inputs.end(),
                      [](const Tensor* input) { return input->is_dynamic(); });
}

}  // namespace

litert::Expected<ObservedCase> ObserveCompiled(Workbench& bench, Cut cut, Compiler compiler) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  Witness& witness = Witness::Get();
  ObservedCase observed;
  std::vector<uint8_t> bytes;
  LITERT_RETURN_IF_ERROR(witness.ObserveStatus("compile", [&]() -> litert::Expected<void> {
    if (!bench.under_test().isolate || compiler == Compiler::kHere) return {};
    LITERT_ASSIGN_OR_RETURN(bytes, CompileInWorker(bench, *model, cut));
    return {};
  }));
  std::optional<LoadedPlugin> plugin;
  LITERT_ASSIGN_OR_RETURN(
      const bool rewrites,
      witness.Observe<bool>("transformations", [&]() -> litert::Expected<bool> {
        SetStage("loading the compiler plugin");
        LITERT_ASSIGN_OR_RETURN(LoadedPlugin loaded, LoadPlugin(bench.under_test()));
        plugin.emplace(std::move(loaded));
        if (plugin->transformations().empty()) return false;
        // Where none of them matches, the partitions are those of the model that was given.
        const LoadedPlugin* const plugins[] = {&*plugin};
        LITERT_ASSIGN_OR_RETURN(const RewrittenModel rewritten,
                                RewriteForPlugins(*model, plugins, /*before_plugins=*/nullptr));
        return rewritten.model != nullptr;
      }));
  const LoadedPlugin* asked = plugin ? &*plugin : nullptr;
  const ApplyOptions options = ApplyOptionsFor(bench.under_test(), cut);
  if (!rewrites) {
    LITERT_ASSIGN_OR_RETURN(observed.parts, ObservePartitions(*model, asked, cut));
  } else {
    LITERT_ASSIGN_OR_RETURN(observed.parts, ObserveRewrittenPartitions(*model, asked, options));
  }
  LITERT_RETURN_IF_ERROR(witness.ObserveStatus("compiled model", [&]() -> litert::Expected<void> {
    if (bytes.empty()) {
      LITERT_ASSIGN_OR_RETURN(bytes, CompileToFile(*model, *plugin, options));
    }
    SetStage("loading the compiled model");
    LITERT_ASSIGN_OR_RETURN(observed.model, ParseModel(SharedBytes::Take(std::move(bytes))));
    return {};
  }));
  return observed;
}

litert::Expected<std::unique_ptr<ObservedSession>> ObservedSession::Open(
    Workbench& bench, std::unique_ptr<Model> model, RunMode mode) {
  std::unique_ptr<ObservedSession> observed(new ObservedSession(bench));
  LITERT_ASSIGN_OR_RETURN(
      observed->partitions_,
      Witness::Get().Observe<uint64_t>("session", [&]() -> litert::Expected<uint64_t> {
        LITERT_ASSIGN_OR_RETURN(observed->session_, OpenSession(bench, std::move(model), mode));
        return static_cast<uint64_t>(observed->session_->placement().partitions);
      }));
  LITERT_ASSIGN_OR_RETURN(
      observed->fallback_reason_,
      Witness::Get().Observe<std::string>("fallback", [&]() -> litert::Expected<std::string> {
        return std::string(observed->session_->placement().fallback_reason);
      }));
  return observed;
}

litert::Expected<std::vector<std::string>> ObservedSession::Keys(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  std::vector<std::string> keys;
  for (const auto& signature : model->signatures) keys.push_back(signature->key);
  if (keys.empty()) keys.emplace_back();
  return keys;
}

litert::Expected<ObservedRun> ObservedSession::RunNow(const std::string& key, size_t index,
                                                      bool whole_only, Costs costs) {
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(key));
  ObservedRun run;
  const auto run_it = [&] { return RunWithInputs(bench_, *runner, index); };
  if (costs == Costs::kUnasked) {
    LITERT_RETURN_IF_ERROR(run_it());
  } else {
    LITERT_ASSIGN_OR_RETURN(run.costs,
                            MeasureRun(*session_, *runner, NPUKIT_METRICS_DETAIL_PER_OP, run_it));
  }
  run.outputs = Outputs(*runner);
  if (whole_only) return run;
  for (const Op* op : DispatchOpsOf(*session_, *runner)) {
    ObservedRun::Call& call = run.calls.emplace_back();
    if (op == nullptr) continue;
    call.ran = true;
    call.entry_point = op->dispatch->entry_point;
    for (const Tensor* input : op->inputs) call.inputs.push_back(BytesOf(*runner, *input));
    for (const Tensor* output : op->outputs) call.outputs.push_back(BytesOf(*runner, *output));
  }
  return run;
}

litert::Expected<ObservedRun> ObservedSession::Run(const std::string& key, size_t index,
                                                   const PartitionedModel& parts, Costs costs) {
  LITERT_ASSIGN_OR_RETURN(ObservedRun run, Witness::Get().Observe<ObservedRun>("run", [&] {
    return RunNow(key, index, /*whole_only=*/false, costs);
  }));
  std::string problem = RunProblem(parts, run);
  const Subgraph* entry = parts.outer == nullptr ? nullptr : EntryOf(*parts.outer, key);
  if (problem.empty() && entry != nullptr && IsFixed(*entry)) {
    LITERT_ASSIGN_OR_RETURN(const InputSet given, bench_.Inputs(*entry, index));
    problem = InputsProblem(parts, run, *entry, given);
  }
  if (!problem.empty()) return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, problem);
  return run;
}

litert::Expected<ObservedRun> ObservedSession::RunWhole(const std::string& key, size_t index) {
  return Witness::Get().Observe<ObservedRun>("whole run", [&] {
    session_->ResetState();
    return RunNow(key, index, /*whole_only=*/true, Costs::kUnasked);
  });
}

litert::Expected<ObservedRun> ObservedSession::RunGuarded(const std::string& key,
                                                          const PartitionedModel& parts,
                                                          GuardedMemory::At at) {
  return Witness::Get().Observe<ObservedRun>("guarded run", [&]() -> litert::Expected<ObservedRun> {
    LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(key));
    return ReplayGuarded(bench_, *session_, *runner, *parts.bodies, at);
  });
}

litert::Expected<ObservedRun> ObservedSession::RunInPlace(const std::string& key,
                                                          const PartitionedModel& parts) {
  return Witness::Get().Observe<ObservedRun>(
      "run in place", [&]() -> litert::Expected<ObservedRun> {
        LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session_->Runner(key));
        return ReplayInPlace(bench_, *session_, *runner, *parts.bodies);
      });
}

}  // namespace npukit::conformance
