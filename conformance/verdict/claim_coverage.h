// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What only a whole run can say of the claims: that each was put to the test, and that expected
// failures and promised profiles are what the vendor says.

#ifndef NPUKIT_CONFORMANCE_VERDICT_CLAIM_COVERAGE_H_
#define NPUKIT_CONFORMANCE_VERDICT_CLAIM_COVERAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/spec/claims/claims.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/verdict/case_result.h"
#include "conformance/verdict/profile_verdict.h"

namespace npukit::conformance {

// Claims as results.json holds them, so that shards can be judged together without the file.
struct ClaimSummary {
  struct Entry {
    std::string text;  // "ADD int8", a pattern, a profile's name
    std::string at;    // "file:line:column"
  };
  std::vector<Entry> ops;
  std::vector<Entry> option_values;  // "ADD int8: fused_activation_function RELU", where limited
  std::vector<Entry> expected_failures;
  std::vector<Entry> profiles;
  std::vector<Entry> waivers;  // patterns
};
// Without waivers, which are no claims.
ClaimSummary Summarize(const Claims& claims);
std::vector<ClaimSummary::Entry> Summarize(const Waivers& waivers);

// The check of those results, and what their names begin with, before the claim's text.
inline constexpr char kCoverageCheck[] = "claims.covered";
inline constexpr std::string_view kCoveragePrefix = "claims/";

// A result for each claim: failed if no case computed it within the bounds, with what became of those
// that were to (CaseResult::asked); and failed ones for claimed values of options that no case has,
// expected failures that match no case, promised profiles that the run does not show, and waivers
// for what does not fail.
std::vector<CaseResult> JudgeClaims(const ClaimSummary& claims,
                                    const std::vector<CaseResult>& results,
                                    const std::vector<ProfileVerdict>& profiles);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_CLAIM_COVERAGE_H_
