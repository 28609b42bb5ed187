// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/check_functions.h"

#include <dlfcn.h>

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/observation/evidence.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using Function = CheckAnswer (*)(Workbench&);

Function FunctionOf(std::string_view id) {
  static const std::map<std::string_view, Function> kFunctions = {
#define CHECK(klass, name, needs, asks) {#klass "." #name, checks::klass::name},
#include "conformance/spec/suite/checks.def"
  };
  return kFunctions.at(id);
}

// Why the check does not apply to the case; empty if it does.
litert::Expected<std::string> WhyNotApplicable(const CheckInfo& check, Workbench& bench) {
  if (check.needs == CheckNeeds::kNothing) return std::string();
  if (auto model = bench.model(); !model) {
    if (model.Error().Status() == kLiteRtStatusErrorUnsupported) return model.Error().Message();
    return model.Error();
  }
  LITERT_ASSIGN_OR_RETURN(const std::vector<JudgedOp> ops, bench.judged_ops());
  size_t claimed = 0;
  std::string reason = "the model has no op";
  for (const JudgedOp& judged : ops) {
    claimed += judged.answer.claimed;
    if (!judged.answer.claimed) reason = judged.answer.reason;
  }
  if (bench.spec().needs_all_claimed && bench.spec().graph != nullptr) {
    size_t unclaimed_by_design = 0;
    for (const SubgraphSpec& subgraph : bench.spec().graph->subgraphs) {
      for (const OpSpec& op : subgraph.ops) unclaimed_by_design += op.is_unclaimed();
    }
    if (claimed + unclaimed_by_design < ops.size())
      return "not all of its ops are claimed: " + reason;
  }
  if (check.needs == CheckNeeds::kClaimed && claimed == 0) return "no op is claimed: " + reason;
  return std::string();
}

CheckAnswer Run(const CheckInfo& check, Workbench& bench) {
  LITERT_ASSIGN_OR_RETURN(const std::string why_not, WhyNotApplicable(check, bench));
  if (!why_not.empty()) return CheckReport::Skip(why_not);
  return FunctionOf(check.id)(bench);
}

}  // namespace

std::vector<std::string> Observe(std::span<const AskedCheck> asked,
                                 const PluginUnderTest& under_test) {
  std::deque<Workbench> benches;  // of one case
  std::vector<std::string> observed;
  Witness& witness = Witness::Get();
  for (size_t i = 0; i < asked.size(); ++i) {
    if (i > 0 && asked[i].spec != asked[i - 1].spec) benches.clear();
    witness.Note();
    Run(*asked[i].check,
        benches.emplace_back(under_test, *asked[i].spec));  // its verdict is not heard
    observed.push_back(SerializeEvidence(witness.evidence()));
  }
  return observed;
}

CheckReport RunCheck(const CheckInfo& check, const PluginUnderTest& under_test,
                     const CaseSpec& spec) {
  Workbench bench(under_test, spec);
  CheckAnswer answer = Run(check, bench);
  return answer ? *answer : CheckReport::Fail(answer.Error().Message());
}

CheckReport JudgeObserved(const CheckInfo& check, const PluginUnderTest& under_test,
                          const CaseSpec& spec, std::string_view observed) {
  std::optional<Evidence> evidence = ParseEvidence(observed);
  if (!evidence) return CheckReport::Forged("the observations can't be read");
  Witness& witness = Witness::Get();
  witness.Repeat(std::move(*evidence));
  CheckReport report = RunCheck(check, under_test, spec);
  // One that fails or is skipped did not ask for all.
  const std::string problem = witness.Problem(report.answer != CheckReport::Answer::kPass);
  if (!problem.empty()) return CheckReport::Forged(problem);
  for (const std::string& path : {under_test.plugin_path, under_test.dispatch_path}) {
    // The kit's own mistake, but then this verdict is worth nothing.
    if (!path.empty() && dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD) != nullptr)
      return CheckReport::Fail("judged where " + path + " is loaded");
  }
  return report;
}

}  // namespace npukit::conformance
