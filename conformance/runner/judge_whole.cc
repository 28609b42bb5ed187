// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/judge_whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/runner/report_files.h"
#include "conformance/runner/suite_search.h"
#include "conformance/verdict/changes.h"
#include "conformance/verdict/claim_coverage.h"
#include "conformance/verdict/profile_verdict.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {

bool IsUnrestricted(const RunInfo& info) {
  const std::vector<std::string> all = DefaultSuiteNames(SuiteFolder());
  return info.filter.empty() && std::all_of(all.begin(), all.end(), [&](const std::string& name) {
           return std::find(info.suites.begin(), info.suites.end(), name) != info.suites.end();
         });
}

litert::Expected<void> JudgeWhole(RunInfo& info, std::vector<CaseResult>& results, bool complete) {
  LITERT_ASSIGN_OR_RETURN(const std::vector<Profile> profiles, LoadProfiles(ProfileFolder()));
  std::set<std::string> claimed;
  for (const ClaimSummary::Entry& claim : info.claim_summary.ops) claimed.insert(claim.text);
  info.profiles.clear();
  for (const Profile& profile : profiles) {
    const auto asked = info.profile_asks.find(profile.title());
    // A run that asks nothing of a profile says nothing of it.
    if (asked == info.profile_asks.end()) continue;
    info.profiles.push_back(JudgeProfile(profile, claimed, results, asked->second));
  }
  const bool all_run = std::none_of(results.begin(), results.end(), [](const CaseResult& result) {
    return result.result == Result::kNotRun;
  });
  if (complete && all_run && IsUnrestricted(info)) {
    for (CaseResult& result : JudgeClaims(info.claim_summary, results, info.profiles))
      results.push_back(std::move(result));
  }
  return {};
}

litert::Expected<std::optional<OlderRun>> LoadOlderRun(const std::string& path) {
  if (path.empty()) return std::optional<OlderRun>();
  LITERT_ASSIGN_OR_RETURN(RunRecord record, LoadResults(path));
  return std::optional<OlderRun>(OlderRun{path, std::move(record)});
}

litert::Expected<void> CompareWith(const std::optional<OlderRun>& before, RunInfo& info,
                                   const std::vector<CaseResult>& results) {
  if (!before) return {};
  for (const auto& [title, asks] : before->record.info.profile_asks) {
    const auto now = info.profile_asks.find(title);
    if (now == info.profile_asks.end() || now->second.digest == asks.digest) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("can't compare with {}: {} has the digest {} there, {} here", before->path,
                    title, asks.digest, now->second.digest));
  }
  info.compared_with = before->path;
  info.changes = Compare(before->record.results, results);
  return {};
}

}  // namespace npukit::conformance
