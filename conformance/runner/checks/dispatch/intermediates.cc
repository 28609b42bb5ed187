// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on what ops within a partition compute, as the library tells it by debug
// handle (npukit/delegate_debug.h).

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/observation/evidence.h"
#include "conformance/runner/checks/check_functions.h"
#include "conformance/runner/checks/host_run.h"
#include "conformance/runner/process/stage.h"
#include "litert/cc/litert_macros.h"
#include "npukit/compile_spec.h"
#include "npukit/delegate_debug.h"
#include "sdk/host/model/metadata/delegate_metadata.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance::checks::dispatch {
namespace {

// A tensor of the model that a debug handle stands for, and what the library says of it.
struct ObservedValue {
  std::string tensor;
  bool is_told = false;
  bool is_told_of_unrecorded = false;  // of a later run, which was not to be recorded
  uint32_t element_type = 0;           // a LiteRtElementType
  std::vector<uint32_t> shape;
  std::vector<uint8_t> bytes;
  static auto Fields(auto& self) {
    return std::tie(self.tensor, self.is_told, self.is_told_of_unrecorded, self.element_type,
                    self.shape, self.bytes);
  }
};

struct ObservedValues {
  std::string why_none;           // empty: they are recorded
  uint64_t partitions = 0;        // on the NPU
  uint64_t asked_partitions = 0;  // compiled with a spec to keep them; 0 if the plugin knows none
  std::vector<ObservedValue> values;
  static auto Fields(auto& self) {
    return std::tie(self.why_none, self.partitions, self.asked_partitions, self.values);
  }
};

bool IsAsked(const DelegateRecord& delegate) {
  return std::any_of(delegate.specs.begin(), delegate.specs.end(), [](const CompileSpec& spec) {
    return spec.key == NPUKIT_SPEC_KEEP_INTERMEDIATES;
  });
}

// Of one step: of several handles that stand for one tensor, the one that has its value.
void ReadStep(const SignatureRunner& runner, size_t index, std::vector<ObservedValue>& values) {
  std::map<std::string, size_t> met;
  for (const DelegateRecord::Handle& handle : runner.steps()[index].delegate->handles) {
    if (handle.value.empty()) continue;
    const auto [place, is_new] = met.emplace(handle.value, values.size());
    if (is_new) values.push_back({.tensor = handle.value});
    ObservedValue& value = values[place->second];
    SetStage("NpukitDispatchGetIntermediate");
    auto told = runner.StepIntermediate(index, handle.handle, 0);
    if (!told) continue;
    value.is_told = true;
    value.element_type = static_cast<uint32_t>(told->type.element_type);
    const LiteRtLayout& layout = told->type.layout;
    const auto rank = std::min<uint32_t>(layout.rank, LITERT_TENSOR_MAX_RANK);
    value.shape.assign(layout.dimensions, layout.dimensions + rank);
    value.bytes = std::move(told->bytes);
  }
}

// Of all partitions, or of those that were asked to keep them.
std::vector<ObservedValue> ReadSteps(const SignatureRunner& runner, bool asked_alone) {
  std::vector<ObservedValue> values;
  for (size_t i = 0; i < runner.steps().size(); ++i) {
    const DelegateRecord* delegate = runner.steps()[i].delegate;
    if (delegate != nullptr && (!asked_alone || IsAsked(*delegate))) ReadStep(runner, i, values);
  }
  return values;
}

// Of a run that was not recorded, in the order of `values`.
void MarkUnrecorded(const std::vector<ObservedValue>& again, std::vector<ObservedValue>& values) {
  for (size_t i = 0; i < values.size() && i < again.size(); ++i)
    values[i].is_told_of_unrecorded = again[i].is_told;
}

// Of all partitions, or of one alone.
litert::Expected<ObservedValues> Record(Workbench& bench, std::optional<size_t> partition) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*model));
  SessionOptions options = SessionOptionsFor(bench.under_test());
  options.jit = true;
  options.placement.specs.push_back({.plugin = {},
                                     .partition = partition,
                                     .spec = {NPUKIT_SPEC_KEEP_INTERMEDIATES, {'1'}},
                                     .where = "the kit",
                                     .is_optional = true});
  SetStage("compiling for intermediate values");
  LITERT_ASSIGN_OR_RETURN(const auto session, Session::Create(std::move(copy), options));
  if (session->placement().fallback != Fallback::kNone) {
    return litert::Unexpected(kLiteRtStatusErrorCompilation,
                              "nothing is compiled: " + session->placement().fallback_reason);
  }
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  SetStage("NpukitDispatchSetRecording");
  if (const auto recorded = runner->SetRecording(kNpukitRecordIntermediates); !recorded) {
    if (recorded.Error().Status() != kLiteRtStatusErrorUnsupported) return recorded.Error();
    return ObservedValues{.why_none = "intermediate values are unsupported"};
  }
  LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *runner, 0));
  ObservedValues observed;
  observed.values = ReadSteps(*runner, partition.has_value());
  for (const auto& step : runner->steps()) {
    if (step.delegate == nullptr || step.delegate->entry_point.empty()) continue;
    ++observed.partitions;
    observed.asked_partitions += IsAsked(*step.delegate);
  }
  if (observed.values.empty())
    observed.why_none = "no debug handle stands for a tensor of the model";
  LITERT_RETURN_IF_ERROR(runner->SetRecording(kNpukitRecordNothing));
  LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *runner, 0));
  MarkUnrecorded(ReadSteps(*runner, partition.has_value()), observed.values);
  return observed;
}

// By name; null where the name is not unique.
std::map<std::string, const Tensor*> TensorsByName(const Subgraph& subgraph) {
  std::map<std::string, const Tensor*> by_name;
  for (const auto& tensor : subgraph.tensors()) {
    const auto [place, is_new] = by_name.emplace(tensor->name, tensor.get());
    if (!is_new) place->second = nullptr;
  }
  return by_name;
}

// What is wrong with one value; empty if nothing is.
litert::Expected<std::string> Problem(const GraphOracle& oracle, const Tensor& tensor,
                                      const ObservedValue& value) {
  if (!value.is_told) return std::string("is not told");
  if (value.is_told_of_unrecorded)
    return std::string("is told of a run that was not to be recorded");
  if (value.element_type != static_cast<uint32_t>(tensor.element_type))
    return fmt::format("is told as elements of type {}, expected {}", value.element_type,
                       static_cast<uint32_t>(tensor.element_type));
  if (!std::equal(
          value.shape.begin(), value.shape.end(), tensor.shape.begin(), tensor.shape.end(),
          [](uint32_t told, int32_t extent) { return static_cast<int64_t>(told) == extent; }))
    return fmt::format("is told with shape [{}], expected [{}]", fmt::join(value.shape, ", "),
                       fmt::join(tensor.shape, ", "));
  const auto bytes = DenseBytes(tensor.element_type, tensor.shape);
  if (bytes && *bytes != value.bytes.size())
    return fmt::format("has {} bytes, expected {}", value.bytes.size(), *bytes);
  LITERT_ASSIGN_OR_RETURN(const kernels::Comparison comparison,
                          oracle.CompareTensor(tensor, value.bytes));
  if (comparison.ok()) return std::string();
  return DescribeComparison(comparison, oracle.ValueOf(&tensor)->elems());
}

// What is wrong with the first value that is; else `judged` says how many are right.
litert::Expected<std::string> FindProblem(const GraphOracle& oracle, const Subgraph& subgraph,
                                          const std::vector<ObservedValue>& values,
                                          size_t& judged) {
  const auto by_name = TensorsByName(subgraph);
  for (const ObservedValue& value : values) {
    const auto found = by_name.find(value.tensor);
    // What a transformation of the plugin's put there has no oracle.
    if (found == by_name.end() || found->second == nullptr) continue;
    if (oracle.ValueOf(found->second) == nullptr) continue;
    LITERT_ASSIGN_OR_RETURN(const std::string problem, Problem(oracle, *found->second, value));
    if (!problem.empty())
      return fmt::format("the intermediate value '{}' {}", value.tensor, problem);
    ++judged;
  }
  return std::string();
}

CheckAnswer Judge(Workbench& bench, const std::vector<const ObservedValues*>& recordings) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  Subgraph& subgraph = model->main_subgraph();
  LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(subgraph, 0));
  GraphOracle oracle(*model, subgraph);
  if (const auto run = oracle.Run(inputs); !run)
    return CheckReport::Skip("no oracle: " + run.Error().Message());
  size_t judged = 0;
  for (const ObservedValues* observed : recordings) {
    LITERT_ASSIGN_OR_RETURN(const std::string problem,
                            FindProblem(oracle, subgraph, observed->values, judged));
    NPUKIT_CHECK_THAT(problem.empty(), problem);
  }
  if (judged == 0) return CheckReport::Skip("no value within a partition has an oracle");
  return CheckReport::Pass(fmt::format("{} values", judged));
}

}  // namespace

CheckAnswer intermediates(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const ObservedValues all,
                          Witness::Get().Observe<ObservedValues>(
                              "intermediate values", [&] { return Record(bench, std::nullopt); }));
  if (!all.why_none.empty()) return CheckReport::Skip(all.why_none);
  NPUKIT_CHECK_THAT(
      all.asked_partitions == 0 || all.asked_partitions == all.partitions,
      fmt::format("the compile spec {} is taken for {} of {} partitions",
                  NPUKIT_SPEC_KEEP_INTERMEDIATES, all.asked_partitions, all.partitions));
  std::vector<const ObservedValues*> recordings = {&all};
  ObservedValues last;
  if (all.asked_partitions > 1) {
    LITERT_ASSIGN_OR_RETURN(last, Witness::Get().Observe<ObservedValues>(
                                      "intermediate values of the last partition",
                                      [&] { return Record(bench, all.partitions - 1); }));
    NPUKIT_CHECK_THAT(last.why_none.empty(), "of the last partition alone: " + last.why_none);
    recordings.push_back(&last);
  }
  if (Witness::Get().is_noting()) return CheckReport::Pass();
  return Judge(bench, recordings);
}

}  // namespace npukit::conformance::checks::dispatch
