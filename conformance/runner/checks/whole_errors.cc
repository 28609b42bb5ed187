// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/whole_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "conformance/oracle/sampled_errors.h"
#include "conformance/runner/checks/host_run.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/graph/find_signature.h"

namespace npukit::conformance {
namespace {

constexpr size_t kSets = 6;        // as many as TOSA's conformance has
constexpr size_t kFirstSet = 200;  // beyond the patterns all sets are random
constexpr double kTimes = 4;       // in the root of the mean square
constexpr double kRoundings = 4;   // of the result itself, beside errors that happen to be 0
constexpr double kRoundingUnit = 0x1p-24;

struct Sums {
  double whole = 0;    // squares of differences from by_ops
  double cpu = 0;      // the same of the CPU's values
  double typical = 0;  // the same of values with errors that are typical of their ops
  double values = 0;   // squares of by_ops
};

std::vector<float> FloatsOf(const std::vector<uint8_t>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

// Adds one output of one run. Says where it is not a number; else empty.
std::string AddRun(const std::vector<uint8_t>& whole, const std::vector<uint8_t>& by_ops,
                   const std::vector<uint8_t>& cpu, Sums& sums) {
  const std::vector<float> a = FloatsOf(whole);
  const std::vector<float> b = FloatsOf(by_ops);
  const std::vector<float> c = FloatsOf(cpu);
  if (a.size() != b.size() || a.size() != c.size()) return "it has another size";
  for (size_t i = 0; i < a.size(); ++i) {
    const double wanted = b[i];
    const double from_whole = a[i] - wanted;
    const double from_cpu = c[i] - wanted;
    if (!std::isfinite(from_whole) && std::isfinite(wanted))
      return fmt::format("elem {} is {}, op by op it is {}", i, a[i], b[i]);
    if (!std::isfinite(from_whole) || !std::isfinite(from_cpu)) continue;
    sums.whole += from_whole * from_whole;
    sums.cpu += from_cpu * from_cpu;
    sums.values += wanted * wanted;
  }
  return {};
}

// What the sums of one output say against it; else empty.
std::string JudgeSums(size_t output, const Sums& sums) {
  const double rounding = kRoundings * kRoundingUnit;
  const double most =
      kTimes * kTimes * std::max(sums.cpu, sums.typical) + rounding * rounding * sums.values;
  if (sums.whole <= most) return {};
  const auto as_part = [&](double squares) { return std::sqrt(squares / sums.values); };
  std::string problem = fmt::format(
      "output {} of the whole errs too much: its distance from what the ops give one by one is "
      "{:.3g}, the CPU's {:.3g}",
      output, as_part(sums.whole), as_part(sums.cpu));
  if (sums.typical > 0)
    problem += fmt::format(", with typical roundings {:.3g}", as_part(sums.typical));
  return problem + ", as parts of the values";
}

std::string JudgeSums(const std::vector<Sums>& sums) {
  for (size_t i = 0; i < sums.size(); ++i) {
    if (std::string problem = JudgeSums(i, sums[i]); !problem.empty()) return problem;
  }
  return {};
}

// Without a plugin.
litert::Expected<std::unique_ptr<Session>> OnCpu(Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(Model * model, bench.model());
  LITERT_ASSIGN_OR_RETURN(auto copy, CopyThroughFile(*model));
  return Session::Create(std::move(copy), {});
}

// From the runner's order into that of the subgraph's inputs, which have the same names.
InputSet InSubgraphOrder(const SignatureRunner& runner, const InputSet& inputs,
                         const Subgraph& subgraph) {
  InputSet ordered;
  for (const Tensor* tensor : subgraph.inputs) {
    InputSet::value_type& bytes = ordered.emplace_back();
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (runner.inputs()[i].tensor->name == tensor->name) bytes = inputs[i];
    }
  }
  return ordered;
}

// Adds what errors typical of the ops make of one set of inputs. An error where an op has no oracle.
litert::Expected<void> AddTypical(const Model& model, const Subgraph& subgraph,
                                  const SignatureRunner& cpu, const InputSet& inputs,
                                  std::vector<Sums>& sums) {
  LITERT_ASSIGN_OR_RETURN(
      const SampledErrors errors,
      SampledErrors::Draw(model, subgraph, InSubgraphOrder(cpu, inputs, subgraph),
                          SampledErrors::Size::kTypical));
  for (size_t i = 0; i < sums.size(); ++i) {
    const PortInfo& port = cpu.outputs()[i];
    if (port.element_type != kLiteRtElementTypeFloat32) continue;
    for (const Tensor* tensor : subgraph.outputs) {
      if (tensor->name != port.tensor->name) continue;
      const double error = errors.DrawnErrorOf(*tensor);
      sums[i].typical += error * error * static_cast<double>(kernels::ElemsOf(port.shape));
      break;
    }
  }
  return {};
}

}  // namespace

litert::Expected<std::string> WholeErrors(Workbench& bench, const std::string& key,
                                          ObservedSession& whole, ObservedSession& by_ops) {
  LITERT_ASSIGN_OR_RETURN(const auto session, OnCpu(bench));
  LITERT_ASSIGN_OR_RETURN(SignatureRunner * cpu, session->Runner(key));
  const size_t count = cpu->outputs().size();
  std::vector<Sums> sums(count);
  for (size_t set = 0; set < kSets; ++set) {
    LITERT_ASSIGN_OR_RETURN(const ObservedRun of_whole, whole.RunWhole(key, kFirstSet + set));
    LITERT_ASSIGN_OR_RETURN(const ObservedRun of_ops, by_ops.RunWhole(key, kFirstSet + set));
    session->ResetState();
    LITERT_RETURN_IF_ERROR(RunWithInputs(bench, *cpu, kFirstSet + set));
    const OutputSet& have = of_whole.outputs;
    const OutputSet& want = of_ops.outputs;
    const OutputSet same = Outputs(*cpu);
    if (have.size() != count || want.size() != count) return std::string("outputs are missing");
    for (size_t i = 0; i < count; ++i) {
      if (cpu->outputs()[i].element_type != kLiteRtElementTypeFloat32) continue;
      const std::string problem = AddRun(have[i], want[i], same[i], sums[i]);
      if (!problem.empty()) return fmt::format("output {} of the whole: {}", i, problem);
    }
  }
  std::string problem = JudgeSums(sums);
  if (problem.empty()) return problem;
  // The CPU and the ops one by one may sum in the same order, and be closer than roundings are.
  LITERT_ASSIGN_OR_RETURN(const Model* model, bench.model());
  const Signature* signature = FindSignature(*model, key);
  const Subgraph& subgraph = signature ? *signature->subgraph : model->main_subgraph();
  for (size_t set = 0; set < kSets; ++set) {
    LITERT_ASSIGN_OR_RETURN(const InputSet inputs, InputsFor(bench, *cpu, kFirstSet + set));
    if (!AddTypical(*model, subgraph, *cpu, inputs, sums)) return problem;
  }
  return JudgeSums(sums);
}

}  // namespace npukit::conformance
