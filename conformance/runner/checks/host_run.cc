// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/host_run.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "conformance/oracle/graph_oracle.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/process/child_pool.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/runtime/packages/packaged_op.h"

namespace npukit::conformance {
namespace {

// Dispatch ops in model order: by subgraph, then by position.
std::vector<const Op*> DispatchOps(const Model& model) {
  std::vector<const Op*> ops;
  for (const auto& subgraph : model.subgraphs()) {
    for (const auto& op : subgraph->ops()) {
      if (op->is_dispatch()) ops.push_back(op.get());
    }
  }
  return ops;
}

std::vector<uint8_t> ToVector(std::span<const uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// Those of `npukit apply` without flags, but for the cut.
ApplyOptions OptionsFor(Cut cut) {
  return {.one_op_per_partition = cut == Cut::kOpByOp, .keep_whole = IsPackagedOp};
}

// The same in a process of its own. Empty if that process came to no end of its own: here it will
// come to the same one, and the runner sees it.
litert::Expected<std::vector<uint8_t>> CompileInWorker(Workbench& bench, const Model& model,
                                                       Cut cut) {
  constexpr char kGood = '+';
  auto work = [&]() -> std::string {
    auto plugin = LoadedPlugin::Load(bench.subject().plugin_path);
    if (!plugin) return plugin.Error().Message();
    auto bytes = CompileToFile(model, *plugin, cut);
    if (!bytes) return bytes.Error().Message();
    return kGood + std::string(bytes->begin(), bytes->end());
  };
  ChildLimits limits;
  limits.timeout = std::chrono::hours(1);  // the runner's own limit comes first
  SetStage("compiling in another process");
  LITERT_ASSIGN_OR_RETURN(const ChildOutcome outcome, RunTask({work, limits}));
  std::vector<uint8_t> bytes;
  if (outcome.end != ChildOutcome::End::kReported) return bytes;
  if (!outcome.report.starts_with(kGood)) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, outcome.report);
  }
  bytes.assign(outcome.report.begin() + 1, outcome.report.end());
  return bytes;
}

std::string DescribeWorst(const std::string& output, const kernels::Mismatch& worst) {
  if (worst.elem < 0) return {};
  return fmt::format("elem {} of output '{:.40}' is {:.9g}, expected {:.9g} +- {:.3g}", worst.elem,
                     output, worst.actual, worst.expected, worst.allowed);
}

// Whether the bounds leave something to judge: not if, for most elements, they are infinite or above
// the largest of the values, as they are behind many layers.
bool BoundsSayNothing(const kernels::OracleTensor& expected) {
  if (!expected.is_float() || expected.bounds.empty()) return false;
  double largest = 0;
  for (const double value : expected.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  const auto useless = std::count_if(
      expected.bounds.begin(), expected.bounds.end(),
      [&](double bound) { return !std::isfinite(bound) || (bound > largest && largest > 0); });
  return 2 * useless > static_cast<int64_t>(expected.bounds.size());
}

// Compares one partition's outputs; adds to `judgement`.
litert::Expected<void> JudgePartition(const SignatureRunner& runner, const Op& call,
                                      const Model& bodies, const Subgraph& body, bool exact,
                                      Judgement& judgement, SumStatistics* sums) {
  InputSet inputs;
  for (const Tensor* input : call.inputs) inputs.push_back(ToVector(runner.TensorBytes(*input)));
  GraphOracle oracle(bodies, body);
  if (auto run = oracle.Run(inputs); !run) {
    judgement.not_judged = run.Error().Message();
    return {};
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (!BoundsSayNothing(oracle.output(i)) || body.ops().size() == 1) continue;
    judgement.unbounded = true;
    judgement.not_judged =
        "the bounds of '" + call.outputs[i]->name + "' are as large as its values";
    return {};
  }
  ++judgement.partitions;
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    LITERT_ASSIGN_OR_RETURN(const kernels::Comparison comparison,
                            oracle.Compare(i, runner.TensorBytes(*call.outputs[i]), exact));
    if (sums != nullptr) sums->Add(oracle.output(i), runner.TensorBytes(*call.outputs[i]));
    if (comparison.max_bound_use > judgement.worst_bound_use) {
      judgement.worst_bound_use = comparison.max_bound_use;
      judgement.worst_where = DescribeWorst(
          call.outputs[i]->name, WorstElem(oracle.output(i), runner.TensorBytes(*call.outputs[i])));
    }
    judgement.worst_difference = std::max(judgement.worst_difference, comparison.max_difference);
    if (comparison.ok() || !judgement.problem.empty()) continue;
    judgement.problem = "output '" + call.outputs[i]->name + "' of '" + call.dispatch->entry_point +
                        "': " + DescribeComparison(comparison, oracle.output(i).elems());
  }
  return {};
}

// Null if the partition is not one sum of products.
SumStatistics* StatisticsFor(size_t partition, const Subgraph& body, SumsByPartition* sums) {
  if (sums == nullptr || body.ops().size() != 1) return nullptr;
  const int64_t terms = TermsOfSums(body.op(0));
  return terms > 0 ? &sums->emplace(partition, SumStatistics(terms)).first->second : nullptr;
}

}  // namespace

litert::Expected<std::unique_ptr<Model>> CopyThroughFile(const Model& model) {
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, SerializeModel(model));
  return ParseModel(SharedBytes::Take(std::move(bytes)));
}

litert::Expected<std::vector<uint8_t>> CompileToFile(const Model& model, const LoadedPlugin& plugin,
                                                     Cut cut) {
  SetStage("LiteRtCompilerPluginCompile");
  const LoadedPlugin* plugins[] = {&plugin};
  LITERT_ASSIGN_OR_RETURN(const ApplyResult applied, ApplyPlugins(model, plugins, OptionsFor(cut)));
  if (applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              "the plugin selects nothing, although it claims ops of this model");
  }
  SetStage("saving the compiled model");
  return SerializeModel(*applied.model);
}

litert::Expected<CompiledCase> CompileAhead(Workbench& bench, CompileIn where, Cut cut) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  std::vector<uint8_t> bytes;
  if (where == CompileIn::kAnotherProcess && bench.subject().isolate) {
    LITERT_ASSIGN_OR_RETURN(bytes, CompileInWorker(bench, *model, cut));
  }
  SetStage("loading the compiler plugin");
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin,
                          LoadedPlugin::Load(bench.subject().plugin_path));
  SetStage("LiteRtCompilerPluginPartition");
  const LoadedPlugin* plugins[] = {&plugin};
  LITERT_ASSIGN_OR_RETURN(PartitionPlan plan, PlanPartitions(*model, plugins, OptionsFor(cut)));
  if (bytes.empty()) {
    LITERT_ASSIGN_OR_RETURN(bytes, CompileToFile(*model, plugin, cut));
  }
  CompiledCase compiled;
  SetStage("loading the compiled model");
  LITERT_ASSIGN_OR_RETURN(compiled.model, ParseModel(SharedBytes::Take(std::move(bytes))));
  compiled.bodies = std::move(plan.partitioned.bodies);
  return compiled;
}

litert::Expected<std::unique_ptr<Session>> OpenSession(Workbench& bench,
                                                       std::unique_ptr<Model> model, RunMode mode) {
  SetStage("loading the model");
  return Session::Create(std::move(model), {.plugin_dir = bench.subject().plugin_dir,
                                            .jit = mode == RunMode::kJustInTime,
                                            .manufacturer = bench.subject().manufacturer,
                                            .keep_intermediates = true});
}

std::vector<std::string> RunnerKeys(const Session& session) {
  std::vector<std::string> keys = session.signature_keys();
  if (keys.empty()) keys.emplace_back();
  return keys;
}

litert::Expected<void> RunWithInputs(Workbench& bench, SignatureRunner& runner, size_t index) {
  // The runner's ports stand for the subgraph's inputs, with the same tensors' names.
  BufferStore store;
  Subgraph ports(&store);
  for (const PortInfo& port : runner.inputs()) {
    Tensor& tensor = ports.AddTensor();
    tensor.name = port.tensor->name;
    tensor.element_type = port.element_type;
    tensor.shape = port.shape;
    ports.inputs.push_back(&tensor);
  }
  LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(ports, index));
  for (size_t i = 0; i < inputs.size(); ++i) LITERT_RETURN_IF_ERROR(runner.SetInput(i, inputs[i]));
  SetStage("running the model");
  LITERT_RETURN_IF_ERROR(runner.Run());
  SetStage("after running the model");
  return {};
}

std::vector<std::vector<uint8_t>> Outputs(const SignatureRunner& runner) {
  std::vector<std::vector<uint8_t>> outputs;
  for (size_t i = 0; i < runner.outputs().size(); ++i)
    outputs.push_back(ToVector(runner.output(i)));
  return outputs;
}

std::vector<const Op*> DispatchOpsOf(const Session& session, const SignatureRunner& runner) {
  std::vector<const Op*> calls = DispatchOps(session.model());
  for (const Op*& call : calls) {
    // Other signatures' partitions do not run here.
    const bool ran = std::any_of(runner.steps().begin(), runner.steps().end(),
                                 [&](const StepInfo& step) { return step.source == call; });
    if (!ran) call = nullptr;
  }
  return calls;
}

litert::Expected<Judgement> JudgePartitions(const Session& session, const SignatureRunner& runner,
                                            const Model& bodies, bool exact,
                                            SumsByPartition* sums) {
  const std::vector<const Op*> calls = DispatchOpsOf(session, runner);
  if (calls.size() != bodies.subgraphs().size()) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              fmt::format("the compiled model has {} dispatch ops, expected {}",
                                          calls.size(), bodies.subgraphs().size()));
  }
  Judgement judgement;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] == nullptr) continue;
    LITERT_RETURN_IF_ERROR(JudgePartition(runner, *calls[i], bodies, bodies.subgraph(i), exact,
                                          judgement, StatisticsFor(i, bodies.subgraph(i), sums)));
  }
  return judgement;
}

}  // namespace npukit::conformance
