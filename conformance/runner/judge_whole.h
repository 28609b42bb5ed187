// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is judged when all results are there, in one run or merged from shards: profiles, claims,
// and the difference from an older run.

#ifndef NPUKIT_CONFORMANCE_RUNNER_JUDGE_WHOLE_H_
#define NPUKIT_CONFORMANCE_RUNNER_JUDGE_WHOLE_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/report/json_report.h"
#include "conformance/report/run_info.h"
#include "conformance/spec/suite/profile.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Fills info.profiles from the installed profiles and info.profile_asks. Where the results are
// `complete` (of all shards) adds a failure for each model that was named and of which nothing was
// judged; where in addition all were run, without --suite, --filter or --profile, a result for each
// claim.
litert::Expected<void> JudgeWhole(RunInfo& info, std::vector<CaseResult>& results, bool complete);

// The run had all suites, no filter and no profile.
bool IsUnrestricted(const RunInfo& info);

// An older run to compare with.
struct OlderRun {
  std::string path;
  RunRecord record;
};
// The results in `path`, a file or a report's folder. Nothing if it is empty.
litert::Expected<std::optional<OlderRun>> LoadOlderRun(const std::string& path);
// An error if the two were asked different things by the name of one profile.
litert::Expected<void> CheckComparable(const std::optional<OlderRun>& before, const RunInfo& info);
// Fills info.changes.
void CompareWith(const std::optional<OlderRun>& before, RunInfo& info,
                 const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_JUDGE_WHOLE_H_
