// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/host_run.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>

#include "conformance/observation/evidence.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/checks/compare_output.h"
#include "conformance/runner/checks/observed_run.h"
#include "conformance/runner/process/stage.h"
#include "conformance/runner/process/worker_answer.h"
#include "conformance/runner/vendor/compile_specs.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/placement/apply.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"
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

std::string DescribeWorst(const std::string& output, const kernels::Mismatch& worst) {
  if (worst.elem < 0) return {};
  return fmt::format("elem {} of output '{:.40}' is {:.9g}, expected {:.9g} +- {:.3g}", worst.elem,
                     output, worst.actual, worst.expected, worst.allowed);
}

// Whether the bounds leave something to judge: not if, for most elements, they are infinite or above
// the largest of the values, as they are behind many layers.
bool BoundsSayNothing(const kernels::OracleTensor& expected) {
  if (!expected.is_float() || expected.bounds.empty()) return false;
  const double largest = expected.largest_finite();
  const auto useless = std::count_if(
      expected.bounds.begin(), expected.bounds.end(),
      [&](double bound) { return !std::isfinite(bound) || (bound > largest && largest > 0); });
  return 2 * useless > static_cast<int64_t>(expected.bounds.size());
}

// Whether a partition must be judged op by op, or only the oracle can tell.
bool MayBeUnbounded(const Claims& claims, const Subgraph& body) {
  if (HandsOnRoundedOnce(claims, body)) return true;
  return body.ops().size() > 1 &&
         std::any_of(body.outputs.begin(), body.outputs.end(), [](const Tensor* output) {
           return output->element_type == kLiteRtElementTypeFloat32 ||
                  output->element_type == kLiteRtElementTypeFloat16;
         });
}

// Compares one partition's outputs; adds to `judgement`.
litert::Expected<void> JudgePartition(const Workbench& bench, const ObservedRun::Call& call,
                                      const Model& bodies, const Subgraph& body,
                                      Judgement& judgement, SumStatistics* sums) {
  if (HandsOnRoundedOnce(bench.claims(), body)) {
    judgement.not_judged = "one of several ops rounds once";
    judgement.unbounded = true;
    return {};
  }
  GraphOracle oracle(bodies, body);
  if (auto run = oracle.Run(call.inputs); !run) {
    judgement.not_judged = run.Error().Message();
    return {};
  }
  bool tells = true;
  for (size_t i = 0; i < body.outputs.size(); ++i) {
    if (!BoundsSayNothing(oracle.output(i))) continue;
    judgement.not_judged =
        "the bounds of '" + body.outputs[i]->name + "' are as large as its values";
    tells = false;
    if (body.ops().size() == 1) continue;
    judgement.unbounded = true;
    return {};
  }
  // One op can't be cut further: what lies outside even such bounds is wrong, the rest tells nothing.
  if (tells) ++judgement.partitions;
  for (size_t i = 0; i < body.outputs.size(); ++i) {
    const std::string& name = body.outputs[i]->name;
    LITERT_ASSIGN_OR_RETURN(const kernels::RoundedOnce rounded,
                            CompareOutput(bench, oracle, body, i, call.outputs[i]));
    const kernels::Comparison& comparison = rounded.comparison;
    judgement.rounded_once += rounded.elems;
    if (sums != nullptr) sums->Add(oracle.output(i), call.outputs[i]);
    if (comparison.max_bound_use > judgement.worst_bound_use) {
      judgement.worst_bound_use = comparison.max_bound_use;
      judgement.worst_where = DescribeWorst(name, WorstElem(oracle.output(i), call.outputs[i]));
    }
    judgement.worst_difference = std::max(judgement.worst_difference, comparison.max_difference);
    if (comparison.ok() || !judgement.problem.empty()) continue;
    judgement.problem = "output '" + name + "' of '" + call.entry_point +
                        "': " + DescribeComparison(comparison, oracle.output(i).elems());
  }
  return {};
}

// A constant's, or what the partition was given.
std::span<const uint8_t> BytesOf(const Tensor& operand, const Subgraph& body,
                                 const ObservedRun::Call& call) {
  const auto input = std::find(body.inputs.begin(), body.inputs.end(), &operand);
  const auto position = static_cast<size_t>(input - body.inputs.begin());
  return position < call.inputs.size() ? call.inputs[position] : operand.weights.bytes();
}

// Null if the partition is not one sum of products, of which each has a rounding of its own.
SumStatistics* StatisticsFor(size_t partition, const Subgraph& body, const ObservedRun::Call& call,
                             SumsByPartition* sums) {
  if (sums == nullptr || body.ops().size() != 1) return nullptr;
  const Op& op = body.op(0);
  const int64_t terms = TermsOfSums(op);
  if (terms == 0 ||
      !ProductsVary(BytesOf(*op.inputs[0], body, call), BytesOf(*op.inputs[1], body, call)))
    return nullptr;
  return &sums->emplace(partition, SumStatistics(terms)).first->second;
}

}  // namespace

ApplyOptions ApplyOptionsFor(const PluginUnderTest& under_test, Cut cut) {
  ApplyOptions options{.one_op_per_partition = cut == Cut::kOpByOp, .keep_whole = IsPackagedOp};
  options.placement.specs = SpecRequests(under_test);
  return options;
}

SessionOptions SessionOptionsFor(const PluginUnderTest& under_test) {
  SessionOptions options{.plugin_dir = under_test.plugin_dir,
                         .manufacturer = under_test.manufacturer};
  options.placement.specs = SpecRequests(under_test);
  return options;
}

litert::Expected<std::vector<uint8_t>> CompileInWorker(Workbench& bench, const Model& model,
                                                       Cut cut) {
  const auto compile = [&]() -> litert::Expected<std::string> {
    LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin,
                            LoadedPlugin::Load(bench.under_test().plugin_path));
    LITERT_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                            CompileToFile(model, plugin, ApplyOptionsFor(bench.under_test(), cut)));
    return std::string(bytes.begin(), bytes.end());
  };
  SetStage("compiling in another process");
  WorkerAnswer made = AskWorker(compile, LimitedByRunner());
  if (!made.answered) return std::vector<uint8_t>();
  LITERT_ASSIGN_OR_RETURN(const std::string bytes, std::move(made.text));
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

litert::Expected<std::unique_ptr<Model>> CopyThroughFile(const Model& model) {
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, SerializeModel(model));
  return ParseModel(SharedBytes::Take(std::move(bytes)));
}

litert::Expected<std::vector<uint8_t>> CompileToFile(const Model& model, const LoadedPlugin& plugin,
                                                     const ApplyOptions& options) {
  SetStage("LiteRtCompilerPluginCompile");
  const LoadedPlugin* plugins[] = {&plugin};
  LITERT_ASSIGN_OR_RETURN(const ApplyResult applied, ApplyPlugins(model, plugins, options));
  if (applied.partitions.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure,
                              "the plugin selects nothing, although it claims ops of this model");
  }
  SetStage("saving the compiled model");
  return SerializeModel(*applied.model);
}

litert::Expected<CompiledCase> CompileAhead(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  SetStage("loading the compiler plugin");
  LITERT_ASSIGN_OR_RETURN(const LoadedPlugin plugin,
                          LoadedPlugin::Load(bench.under_test().plugin_path));
  SetStage("LiteRtCompilerPluginPartition");
  const LoadedPlugin* plugins[] = {&plugin};
  const ApplyOptions options = ApplyOptionsFor(bench.under_test(), Cut::kAsUsers);
  LITERT_ASSIGN_OR_RETURN(PartitionPlan plan, PlanPartitions(*model, plugins, options));
  LITERT_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, CompileToFile(*model, plugin, options));
  CompiledCase compiled;
  SetStage("loading the compiled model");
  LITERT_ASSIGN_OR_RETURN(compiled.model, ParseModel(SharedBytes::Take(std::move(bytes))));
  compiled.bodies = std::move(plan.partitioned.bodies);
  return compiled;
}

litert::Expected<std::unique_ptr<Session>> OpenSession(Workbench& bench,
                                                       std::unique_ptr<Model> model, RunMode mode) {
  SetStage("loading the model");
  SessionOptions options = SessionOptionsFor(bench.under_test());
  options.jit = mode == RunMode::kJustInTime;
  options.keep_intermediates = true;
  return Session::Create(std::move(model), std::move(options));
}

std::vector<std::string> RunnerKeys(const Session& session) {
  std::vector<std::string> keys = session.signature_keys();
  if (keys.empty()) keys.emplace_back();
  return keys;
}

litert::Expected<InputSet> InputsFor(Workbench& bench, const SignatureRunner& runner,
                                     size_t index) {
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
  return bench.Inputs(ports, index);
}

litert::Expected<void> RunWithInputs(Workbench& bench, SignatureRunner& runner, size_t index) {
  LITERT_ASSIGN_OR_RETURN(const InputSet inputs, InputsFor(bench, runner, index));
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

litert::Expected<Judgement> JudgePartitions(const Workbench& bench, const ObservedRun& run,
                                            const Model& bodies, SumsByPartition* sums) {
  Judgement judgement;
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const Subgraph& body = bodies.subgraph(i);
    if (!run.calls[i].ran) continue;
    if (Witness::Get().is_noting() && !MayBeUnbounded(bench.claims(), body)) continue;
    LITERT_RETURN_IF_ERROR(JudgePartition(bench, run.calls[i], bodies, body, judgement,
                                          StatisticsFor(i, body, run.calls[i], sums)));
  }
  return judgement;
}

}  // namespace npukit::conformance
