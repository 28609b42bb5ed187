// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/claim_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "conformance/spec/claims/name_pattern.h"

namespace npukit::conformance {
namespace {

CaseResult ClaimResult(const std::string& name, std::string problem, const std::string& group) {
  CaseResult result;
  result.suite = "claims";
  result.name = std::string(kCoveragePrefix) + name;
  result.klass = "claims";
  result.check = kCoverageCheck;
  result.result = problem.empty() ? Result::kPassed : Result::kFailed;
  if (!problem.empty()) {
    result.cause = Cause::kCheck;
    result.group = group;
  }
  result.detail = std::move(problem);
  return result;
}

std::set<std::string> Exercised(const std::vector<CaseResult>& results) {
  std::set<std::string> exercised;
  for (const CaseResult& result : results) {
    // Also what failed: the claim was computed, and its failure stands in the results already.
    const bool counts = result.result == Result::kPassed || result.result == Result::kFailed ||
                        result.result == Result::kExpectedFailure ||
                        result.result == Result::kWaived;
    if (counts) exercised.insert(result.exercised.begin(), result.exercised.end());
  }
  return exercised;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// "3 of its cases failed, first core/ADD_1/numerics.oracle: crashed: SIGSEGV".
std::string Telling(const std::vector<const CaseResult*>& results, const char* what) {
  if (results.empty()) return {};
  const CaseResult& first = *results.front();
  return fmt::format("; {} of its cases {}, first {}: {}", results.size(), what, first.name,
                     FirstLine(first.detail));
}

// What became of the cases that were to compute a claim; empty if there are none.
std::string WhyNotComputed(const std::string& claim, const std::vector<CaseResult>& results) {
  std::vector<const CaseResult*> failed;
  std::vector<const CaseResult*> skipped;
  for (const CaseResult& result : results) {
    if (std::find(result.asked.begin(), result.asked.end(), claim) == result.asked.end()) continue;
    (result.result == Result::kSkipped ? skipped : failed).push_back(&result);
  }
  return Telling(failed, "failed") + Telling(skipped, "were skipped");
}

// The first op of the claim's name that lies outside the claim; empty if there is none.
std::string FirstOutside(const std::string& claim, const std::vector<CaseResult>& results) {
  const std::string op = claim.substr(0, claim.find(' ')) + ": ";
  for (const CaseResult& result : results) {
    for (const std::string& outside : result.outside_claims) {
      if (outside.starts_with(op)) {
        return fmt::format("; {} lies outside: {}", result.name, outside.substr(op.size()));
      }
    }
  }
  return {};
}

// "FILE:3:5: ADD int8 is claimed, but ...".
std::string Uncomputed(const ClaimSummary::Entry& claim, const std::vector<CaseResult>& results,
                       const char* without_case) {
  const std::string why = WhyNotComputed(claim.text, results);
  if (why.empty()) {
    return fmt::format("{}: {} is claimed, but {}{}", claim.at, claim.text, without_case,
                       FirstOutside(claim.text, results));
  }
  return fmt::format("{}: {} is claimed, but no case computed it within the bounds{}", claim.at,
                     claim.text, why);
}

bool MatchesSome(const std::string& pattern, const std::vector<CaseResult>& results,
                 const std::function<bool(const CaseResult&)>& counts) {
  const auto matcher = NamePattern::Compile(pattern);
  // One that a shard's results.json has need not be a pattern: then it matches nothing.
  return matcher && std::any_of(results.begin(), results.end(), [&](const CaseResult& result) {
           return counts(result) && matcher->Matches(result.name);
         });
}

bool Any(const CaseResult&) { return true; }

bool IsFailure(const CaseResult& result) {
  return result.result == Result::kWaived || result.result == Result::kFailed;
}

// Failed results for waivers that nothing needs.
std::vector<CaseResult> JudgeWaivers(const std::vector<ClaimSummary::Entry>& waivers,
                                     const std::vector<CaseResult>& results) {
  std::vector<CaseResult> judged;
  for (const ClaimSummary::Entry& waiver : waivers) {
    if (MatchesSome(waiver.text, results, IsFailure)) continue;
    judged.push_back(
        ClaimResult("waiver " + waiver.text,
                    fmt::format("{}: nothing that it covers fails: '{}'", waiver.at, waiver.text),
                    "waivers that are not needed"));
  }
  return judged;
}

// Why a promise is not kept; empty if it is.
std::string WhyProfileNotShown(const std::string& name,
                               const std::vector<ProfileVerdict>& profiles) {
  const auto found = std::find_if(profiles.begin(), profiles.end(),
                                  [&](const ProfileVerdict& p) { return p.name == name; });
  if (found == profiles.end()) return "there is no profile '" + name + "'";
  if (found->state == ProfileVerdict::State::kConformant) return {};
  std::string why = std::string(ProfileStateName(found->state)) + " to " + found->title();
  for (const std::string& reason : found->reasons) why += "\n" + reason;
  return why;
}

}  // namespace

ClaimSummary Summarize(const Claims& claims) {
  ClaimSummary summary;
  for (const OpClaim& claim : claims.ops) {
    for (const TypeClaim& types : claim.types) {
      const std::string text = claim.op + " " + types.ToString();
      summary.ops.push_back({text, claim.at.ToString()});
      for (const auto& [field, values] : claim.limits.options) {
        for (const std::string& value : values)
          summary.option_values.push_back(
              {OptionValueText(text, field, value), claim.at.ToString()});
      }
    }
  }
  for (const ExpectedFailure& failure : claims.expected_failures)
    summary.expected_failures.push_back({failure.pattern.text(), failure.at.ToString()});
  for (const std::string& profile : claims.profiles)
    summary.profiles.push_back({profile, claims.file});
  return summary;
}

std::vector<ClaimSummary::Entry> Summarize(const Waivers& waivers) {
  std::vector<ClaimSummary::Entry> entries;
  for (const Waiver& waiver : waivers.waivers) {
    for (const Waiver::Cases& cases : waiver.cases)
      entries.push_back({cases.pattern.text(), cases.at.ToString()});
  }
  return entries;
}

std::vector<CaseResult> JudgeClaims(const ClaimSummary& claims,
                                    const std::vector<CaseResult>& results,
                                    const std::vector<ProfileVerdict>& profiles) {
  const std::set<std::string> exercised = Exercised(results);
  std::vector<CaseResult> judged;
  for (const ClaimSummary::Entry& claim : claims.ops) {
    std::string problem;
    if (!exercised.contains(claim.text)) {
      problem =
          Uncomputed(claim, results, "no case of the suites lies within it (its types and limits)");
    }
    judged.push_back(ClaimResult(claim.text, std::move(problem), "claims without a case"));
  }
  for (const ClaimSummary::Entry& value : claims.option_values) {
    if (exercised.contains(value.text)) continue;
    judged.push_back(ClaimResult(value.text, Uncomputed(value, results, "no case has that value"),
                                 "claims without a case"));
  }
  for (const ClaimSummary::Entry& failure : claims.expected_failures) {
    if (MatchesSome(failure.text, results, Any)) continue;
    judged.push_back(ClaimResult("expected failure " + failure.text,
                                 failure.at + ": matches no case: '" + failure.text + "'",
                                 "claims without a case"));
  }
  for (const ClaimSummary::Entry& promise : claims.profiles) {
    std::string problem = WhyProfileNotShown(promise.text, profiles);
    if (!problem.empty()) problem = promise.at + ": promised, but " + problem;
    judged.push_back(
        ClaimResult("profile " + promise.text, std::move(problem), "promised profiles not shown"));
  }
  for (CaseResult& result : JudgeWaivers(claims.waivers, results))
    judged.push_back(std::move(result));
  return judged;
}

}  // namespace npukit::conformance
