// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/claims/asked_claims.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "conformance/runner/checks/workbench.h"
#include "conformance/spec/claims/claim_match.h"

namespace npukit::conformance {
namespace {

// A check that reports what it exercised.
bool ReportsClaims(const std::string& check) {
  return check == "numerics.oracle" || check == "model.ahead_of_time";
}

// Whether the case's graph names an operator of the claims; models and networks may always. Most skipped
// cases have none, and need not be made.
bool MayHaveClaimed(const CaseSpec& spec, const std::set<std::string>& claimed) {
  if (spec.graph == nullptr) return spec.has_model();
  for (const SubgraphSpec& subgraph : spec.graph->subgraphs) {
    for (const OpSpec& op : subgraph.ops) {
      if (claimed.contains(op.name)) return true;
    }
  }
  return false;
}

struct Asked {
  std::set<std::string> claims;
  std::set<std::string> outside;  // "ADD: why it is not claimed"
};

Asked AskedBy(const CaseSpec& spec, const PluginUnderTest& under_test,
              const std::set<std::string>& claimed) {
  Workbench bench(under_test, spec);
  Asked asked;
  const auto ops = bench.judged_ops();
  if (!ops) return asked;
  for (const JudgedOp& judged : *ops) {
    for (std::string& text : ExercisedBy(judged)) asked.claims.insert(std::move(text));
    const std::string name = ClaimName(*judged.op);
    if (!judged.answer.claimed && claimed.contains(name)) {
      asked.outside.insert(name + ": " + judged.answer.reason);
    }
  }
  return asked;
}

}  // namespace

void NoteAskedClaims(const std::vector<const CaseSpec*>& specs, const PluginUnderTest& under_test,
                     std::vector<CaseResult>& results) {
  std::set<std::string> claimed;
  for (const OpClaim& claim : under_test.claims.ops) claimed.insert(claim.op);
  std::map<const CaseSpec*, Asked> known;
  for (size_t i = 0; i < std::min(specs.size(), results.size()); ++i) {
    const bool passed =
        results[i].result == Result::kPassed || results[i].result == Result::kNotRun;
    const CaseSpec& spec = *specs[i];
    if (passed || !ReportsClaims(results[i].check) || spec.expect.select == SelectRule::kNone ||
        !MayHaveClaimed(spec, claimed)) {
      continue;
    }
    const auto [found, is_new] = known.try_emplace(&spec);
    if (is_new) found->second = AskedBy(spec, under_test, claimed);
    const Asked& asked = found->second;
    results[i].asked.assign(asked.claims.begin(), asked.claims.end());
    results[i].outside_claims.assign(asked.outside.begin(), asked.outside.end());
  }
}

}  // namespace npukit::conformance
