// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/claims/claimed_cases.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "conformance/spec/suite/check.h"

namespace npukit::conformance {
namespace {

// Of smaller outputs, overruns and mixed up elements show less.
constexpr int64_t kGoodElems = 12;
constexpr int64_t kMostElems = 20'000;

constexpr const char* kChecks[] = {
    "compile.stable",           "dispatch.reinvoke",   "dispatch.output_whole",
    "dispatch.no_stray_writes", "dispatch.cycles",     "robustness.process_state",
    "robustness.threads_end",   "robustness.misfits",  "state.two_modules",
    "state.each_soc",           "model.ahead_of_time",
};

bool JudgesValues(const CaseSpec& spec) {
  return spec.graph != nullptr && spec.Asks("numerics.oracle") &&
         spec.expect.select == SelectRule::kClaimed;
}

// "CONV_2D int16 x int8" as names may have it.
std::string CaseName(const std::string& claim) {
  std::string name;
  for (const char c : claim) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    if (plain) name += c;
    if (!plain && !name.ends_with('_')) name += '_';
  }
  return name;
}

int64_t ElemsOf(const Tensor& tensor) {
  int64_t elems = 1;
  for (const int32_t dim : tensor.shape) elems *= dim;
  return elems;
}

// Whether some claim of the case's operators has no case yet; only then it is worth making.
bool MayServe(const CaseSpec& spec, const std::map<std::string, std::set<std::string>>& wanted) {
  if (!JudgesValues(spec) || spec.graph->subgraphs.size() != 1) return false;
  const SubgraphSpec& subgraph = spec.graph->subgraphs.front();
  if (subgraph.ops.size() != 1) return false;
  const auto found = wanted.find(subgraph.ops.front().name);
  return found != wanted.end() && !found->second.empty();
}

}  // namespace

Suite ClaimedSuite(const std::vector<Suite>& suites, const PluginUnderTest& under_test) {
  // By operator the claims for which no good case was found yet.
  std::map<std::string, std::set<std::string>> wanted;
  for (const OpClaim& claim : under_test.claims.ops) {
    for (const TypeClaim& types : claim.types)
      wanted[claim.op].insert(claim.op + " " + types.ToString());
  }
  std::map<std::string, const CaseSpec*> chosen;
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      if (!MayServe(spec, wanted)) continue;
      Workbench bench(under_test, spec);
      const auto ops = bench.judged_ops();
      if (!ops || ops->size() != 1 || ops->front().answer.claim == nullptr) continue;
      const JudgedOp& judged = ops->front();
      const int64_t elems = ElemsOf(*judged.op->outputs[0]);
      const std::string claim = judged.answer.claim->op + " " + judged.answer.types->ToString();
      if (elems > kMostElems) continue;
      const bool good = elems >= kGoodElems;
      if (good && wanted[judged.answer.claim->op].erase(claim) > 0) chosen[claim] = &spec;
      if (!good) chosen.emplace(claim, &spec);
    }
  }
  Suite made;
  made.name = "claimed";
  for (const OpClaim& claim : under_test.claims.ops) {
    for (const TypeClaim& types : claim.types) {
      const std::string text = claim.op + " " + types.ToString();
      const auto found = chosen.find(text);
      if (found == chosen.end()) continue;
      CaseSpec spec = *found->second;
      spec.suite = made.name;
      spec.name = CaseName(text);
      spec.checks.clear();
      for (const char* check : kChecks) spec.checks.push_back(FindCheck(check));
      made.cases.push_back(std::move(spec));
    }
  }
  return made;
}

void ForEachJudgedCase(
    const std::vector<Suite>& suites, const PluginUnderTest& under_test,
    const std::function<void(const CaseSpec&, const std::vector<JudgedOp>&)>& take) {
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      if (!JudgesValues(spec)) continue;
      Workbench bench(under_test, spec);
      if (const auto ops = bench.judged_ops(); ops) take(spec, *ops);
    }
  }
}

}  // namespace npukit::conformance
