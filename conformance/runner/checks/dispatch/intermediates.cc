// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The check of class dispatch on what ops within a partition compute, as the library tells it by debug
// handle (npukit/delegate_debug.h).

#include <fmt/format.h>

#include <map>
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
  std::vector<uint8_t> bytes;
  static auto Fields(auto& self) {
    return std::tie(self.tensor, self.is_told, self.is_told_of_unrecorded, self.bytes);
  }
};

struct ObservedValues {
  std::string why_none;  // empty: they are recorded
  std::vector<ObservedValue> values;
  static auto Fields(auto& self) { return std::tie(self.why_none, self.values); }
};

// Of one step: of several handles that stand for one tensor, the one that has its value.
void ReadStep(const SignatureRunner& runner, size_t index, std::vector<ObservedValue>& values) {
  const DelegateRecord* delegate = runner.steps()[index].delegate;
  if (delegate == nullptr) return;
  std::map<std::string, size_t> met;
  for (const DelegateRecord::Handle& handle : delegate->handles) {
    if (handle.value.empty()) continue;
    const auto [place, is_new] = met.emplace(handle.value, values.size());
    if (is_new) values.push_back({.tensor = handle.value, .is_told = false, .bytes = {}});
    ObservedValue& value = values[place->second];
    SetStage("NpukitDispatchGetIntermediate");
    auto told = runner.StepIntermediate(index, handle.handle, 0);
    if (!told) continue;
    value.is_told = true;
    value.bytes = std::move(told->bytes);
  }
}

// After a run that was not recorded, in the order of `values`.
void ReadUnrecorded(const SignatureRunner& runner, std::vector<ObservedValue>& values) {
  std::vector<ObservedValue> again;
  for (size_t i = 0; i < runner.steps().size(); ++i) ReadStep(runner, i, again);
  for (size_t i = 0; i < values.size() && i < again.size(); ++i)
    values[i].is_told_of_unrecorded = again[i].is_told;
}

litert::Expected<ObservedValues> Record(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*model));
  SessionOptions options = SessionOptionsFor(bench.under_test());
  options.jit = true;
  options.placement.specs.push_back({.plugin = {},
                                     .partition = {},
                                     .spec = {NPUKIT_SPEC_KEEP_INTERMEDIATES, {'1'}},
                                     .where = "the kit",
                                     .is_optional = true});
  SetStage("compiling for intermediate values");
  LITERT_ASSIGN_OR_RETURN(const auto session, Session::Create(std::move(copy), options));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * runner, session->Runner(RunnerKeys(*session).front()));
  SetStage("NpukitDispatchSetRecording");
  if (const auto recorded = runner->SetRecording(kNpukitRecordIntermediates); !recorded) {
    if (recorded.Error().Status() != kLiteRtStatusErrorUnsupported) return recorded.Error();
    return ObservedValues{.why_none = "intermediate values are unsupported", .values = {}};
  }
  LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *runner, 0));
  ObservedValues observed;
  for (size_t i = 0; i < runner->steps().size(); ++i) ReadStep(*runner, i, observed.values);
  if (observed.values.empty())
    observed.why_none = "no debug handle stands for a tensor of the model";
  LITERT_RETURN_IF_ERROR(runner->SetRecording(kNpukitRecordNothing));
  LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *runner, 0));
  ReadUnrecorded(*runner, observed.values);
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
  const auto bytes = DenseBytes(tensor.element_type, tensor.shape);
  if (bytes && *bytes != value.bytes.size())
    return fmt::format("has {} bytes, expected {}", value.bytes.size(), *bytes);
  LITERT_ASSIGN_OR_RETURN(const kernels::Comparison comparison,
                          oracle.CompareTensor(tensor, value.bytes));
  if (comparison.ok()) return std::string();
  return DescribeComparison(comparison, oracle.ValueOf(&tensor)->elems());
}

}  // namespace

CheckAnswer intermediates(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(
      const ObservedValues observed,
      Witness::Get().Observe<ObservedValues>("intermediate values", [&] { return Record(bench); }));
  if (!observed.why_none.empty()) return CheckReport::Skip(observed.why_none);
  if (Witness::Get().is_noting()) return CheckReport::Pass();
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  Subgraph& subgraph = model->main_subgraph();
  LITERT_ASSIGN_OR_RETURN(const InputSet inputs, bench.Inputs(subgraph, 0));
  GraphOracle oracle(*model, subgraph);
  if (const auto run = oracle.Run(inputs); !run)
    return CheckReport::Skip("no oracle: " + run.Error().Message());
  const auto by_name = TensorsByName(subgraph);
  size_t judged = 0;
  for (const ObservedValue& value : observed.values) {
    const auto found = by_name.find(value.tensor);
    // What a transformation of the plugin's put there has no oracle.
    if (found == by_name.end() || found->second == nullptr) continue;
    if (oracle.ValueOf(found->second) == nullptr) continue;
    LITERT_ASSIGN_OR_RETURN(const std::string problem, Problem(oracle, *found->second, value));
    NPUKIT_CHECK_THAT(problem.empty(),
                      fmt::format("the intermediate value '{}' {}", value.tensor, problem));
    ++judged;
  }
  if (judged == 0) return CheckReport::Skip("no value within a partition has an oracle");
  return CheckReport::Pass(fmt::format("{} values", judged));
}

}  // namespace npukit::conformance::checks::dispatch
