// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/judge_whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/runner/report_files.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/verdict/changes.h"
#include "conformance/verdict/claim_coverage.h"
#include "conformance/verdict/profile_verdict.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// A model that was named is to be judged: one that was skipped throughout fails.
void JudgeModelsNamed(std::vector<CaseResult>& results) {
  std::map<std::string, std::string> skipped;  // by model: why
  std::set<std::string> judged;
  for (const CaseResult& result : results) {
    if (result.suite != kModelSuite) continue;
    const std::string model = result.name.substr(0, result.name.rfind('/'));
    if (result.result == Result::kSkipped) {
      skipped.emplace(model, result.detail);
    } else if (result.klass == "model") {
      judged.insert(model);
    }
  }
  for (const auto& [model, why] : skipped) {
    if (judged.contains(model)) continue;
    CaseResult result;
    result.name = model + "/model.judged";
    result.suite = kModelSuite;
    result.klass = "model";
    result.check = "model.judged";
    result.result = Result::kFailed;
    result.cause = Cause::kCheck;
    result.group = "models of which nothing was judged";
    result.detail = "nothing of it was judged: " + why;
    results.push_back(std::move(result));
  }
}

}  // namespace

bool IsUnrestricted(const RunInfo& info) {
  const std::vector<std::string> all = DefaultSuiteNames(SuiteFolder());
  const bool has_all = std::all_of(all.begin(), all.end(), [&](const std::string& name) {
    return std::find(info.suites.begin(), info.suites.end(), name) != info.suites.end();
  });
  return info.filter.empty() && info.profile.empty() && has_all;
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
  if (complete) JudgeModelsNamed(results);
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

litert::Expected<void> CheckComparable(const std::optional<OlderRun>& before, const RunInfo& info) {
  if (!before) return {};
  for (const auto& [title, asks] : before->record.info.profile_asks) {
    const auto now = info.profile_asks.find(title);
    if (now == info.profile_asks.end() || now->second.digest == asks.digest) continue;
    return litert::Unexpected(
        kLiteRtStatusErrorInvalidArgument,
        fmt::format("can't compare with {}: {} has the digest {} there, {} here", before->path,
                    title, asks.digest, now->second.digest));
  }
  return {};
}

void CompareWith(const std::optional<OlderRun>& before, RunInfo& info,
                 const std::vector<CaseResult>& results) {
  if (!before) return;
  info.compared_with = before->path;
  info.changes = Compare(before->record.results, results);
}

}  // namespace npukit::conformance
