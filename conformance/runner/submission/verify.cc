// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Judges a submission again where its plugin never was: by this kit's suites and profiles, from the
// claims and observations in the archive. Nothing that a submission says of itself is believed.

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/runner/command_line.h"
#include "conformance/runner/judge_whole.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/run.h"
#include "conformance/runner/submission/examination.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"

namespace npukit::conformance {
namespace {

using Json = nlohmann::ordered_json;

// -- Observed results, judged again

bool NeedsObservations(const CaseResult& result) {
  return result.result == Result::kPassed || result.result == Result::kSkipped;
}

void CompareJudged(const CaseResult& said, const CaseResult& judged, Problems& problems) {
  if (said.result != judged.result) {
    problems.Add(fmt::format("{}: said to be {}, but by its observations {}{}{:.300}", said.name,
                             ResultName(said.result), ResultName(judged.result),
                             judged.detail.empty() ? "" : ": ", judged.detail));
  } else if (said.exercised != judged.exercised) {
    problems.Add(said.name + ": is said to exercise other claims than it does");
  }
}

void CheckSurplus(const Examined& examined, Problems& problems) {
  std::set<std::string> asked;
  for (const PlannedCheck& planned : examined.request->plan) asked.insert(planned.id.name);
  for (const auto& [name, record] : examined.observations.records()) {
    if (!asked.contains(name))
      problems.Add(fmt::format("observations of '{:.200}', of which none were asked", name));
  }
}

litert::Expected<void> JudgeAgain(Examined& examined, int jobs, Problems& problems) {
  const std::vector<PlannedCheck>& plan = examined.request->plan;
  std::vector<size_t> wanted;
  for (size_t i = 0; i < plan.size(); ++i) {
    const CaseResult& said = examined.record.results[i];
    if (examined.observations.Has(said.name)) {
      wanted.push_back(i);
    } else if (NeedsObservations(said)) {
      problems.Add(said.name + ": there are no observations of it");
    }
  }
  examined.judged_again = wanted.size();
  const RunOptions options;
  const Waivers* waivers = examined.waivers ? &*examined.waivers : nullptr;
  const std::atomic<bool> stop = false;
  auto make_task = [&](size_t position) {
    const PlannedCheck& planned = plan[wanted[position]];
    const PoolTask task = MakeTask(planned, examined.under_test, options);
    return PoolTask{.work = [&examined, &planned, judge = task.judge]() -> std::string {
                      const auto observed = examined.observations.ObservedOf(planned.id.name);
                      return judge(observed ? *observed : std::string());
                    },
                    .limits = task.limits};
  };
  auto on_done = [&](size_t position, const ChildOutcome& outcome) {
    const size_t index = wanted[position];
    CaseResult judged = Judge(plan[index].id, outcome, &examined.under_test.claims);
    MeetWaivers(waivers, judged);
    const CaseResult& said = examined.record.results[index];
    // One that failed for another reason than what was seen (a crash later on) stays failed.
    if (said.result != Result::kFailed) CompareJudged(said, judged, problems);
  };
  return RunTasks(wanted.size(), jobs, make_task, on_done, stop);
}

// Failures that are excused must be such as claims or waivers name.
void CheckExcused(const Examined& examined, Problems& problems) {
  for (const CaseResult& result : examined.record.results) {
    const bool expected = examined.under_test.claims.FindExpectedFailure(result.name) != nullptr;
    const bool waived = examined.waivers && examined.waivers->Find(result.name) != nullptr;
    if (result.result == Result::kExpectedFailure && !expected)
      problems.Add(result.name + ": no expected failure of the claims names it");
    if (result.result == Result::kWaived && !waived)
      problems.Add(result.name + ": no waiver names it");
  }
}

// -- The whole

// The results with what follows from them, made anew.
litert::Expected<RunRecord> WholeAnew(const Examined& examined) {
  const size_t planned = examined.request->plan.size();
  RunRecord whole;
  whole.info = examined.record.info;
  whole.info.claim_summary = Summarize(examined.under_test.claims);
  if (examined.waivers) whole.info.claim_summary.waivers = Summarize(*examined.waivers);
  whole.info.profile_asks = examined.request->profile_asks;
  const auto& said = examined.record.results;
  whole.results.assign(said.begin(), said.begin() + static_cast<ptrdiff_t>(planned));
  if (examined.baseline) {
    for (CaseResult& result :
         JudgeBaseline(*examined.baseline, whole.results, examined.under_test.claims))
      whole.results.push_back(std::move(result));
  }
  for (CaseResult& result : whole.results)
    MeetWaivers(examined.waivers ? &*examined.waivers : nullptr, result);
  LITERT_RETURN_IF_ERROR(JudgeWhole(whole.info, whole.results, /*complete=*/true));
  return whole;
}

struct Verification {
  Problems problems;
  Examined examined;
  std::optional<RunRecord> whole;
};

litert::Expected<std::unique_ptr<Verification>> Verify(const VerifyArguments& arguments,
                                                       const Submission& submission) {
  auto made = std::make_unique<Verification>();
  Problems& problems = made->problems;
  LITERT_ASSIGN_OR_RETURN(made->examined, Examine(submission));
  Examined& examined = made->examined;
  CompareIdentity(submission, examined, problems);
  LITERT_RETURN_IF_ERROR(CompareWaivers(arguments.waivers, submission, problems));
  if (!arguments.plugin_dir.empty())
    LITERT_RETURN_IF_ERROR(ComparePlugin(arguments.plugin_dir, examined.record.info, problems));
  CompareNames(examined, problems);
  if (examined.record.results.size() < examined.request->plan.size()) return made;
  CheckSurplus(examined, problems);
  CheckExcused(examined, problems);
  LITERT_RETURN_IF_ERROR(JudgeAgain(examined, JobsOr(arguments.jobs), problems));
  LITERT_ASSIGN_OR_RETURN(made->whole, WholeAnew(examined));
  CompareWhole(submission, examined, *made->whole, problems);
  return made;
}

int Tell(const VerifyArguments& arguments, const Submission& submission,
         const Verification& verification) {
  const Examined& examined = verification.examined;
  const bool verified = verification.problems.empty();
  const std::vector<CaseResult>& results = examined.record.results;
  const Summary summary = Summarize(results);
  const std::string to =
      verification.whole ? ConformantTo(verification.whole->info.profiles) : std::string();
  if (arguments.json) {
    const Json json = {{"submission", verified ? "verified" : "refused"},
                       {"manufacturer", examined.record.info.manufacturer},
                       {"verdict", std::string(Verdict(summary))},
                       {"conformant_to", to},
                       {"results", results.size()},
                       {"judged_again", examined.judged_again},
                       {"waived", summary.waived},
                       {"digests", submission.manifest.digests},
                       {"isolation_gaps", examined.record.info.isolation_gaps},
                       {"problems", verification.problems.texts()}};
    fmt::print("{}\n", tools::JsonText(json, 1));
    return verified ? kExitConformant : kExitNotConformant;
  }
  for (const std::string& problem : verification.problems.texts()) fmt::print("{}\n", problem);
  fmt::print("{}: {}: {}{}{}\n", examined.record.info.manufacturer,
             verified ? "verified" : "refused", Verdict(summary), to.empty() ? "" : ", ", to);
  fmt::print("{} results: {} judged again from observations, {} waived\n", results.size(),
             examined.judged_again, summary.waived);
  for (const std::string& gap : examined.record.info.isolation_gaps)
    fmt::print("not isolated: {}\n", gap);
  return verified ? kExitConformant : kExitNotConformant;
}

}  // namespace

int RunVerify(const VerifyArguments& arguments) {
  Submission submission;
  if (auto read = ReadSubmission(arguments.archive, submission); !read)
    return ReportError(kExitUsage,
                       fmt::format("{}: {}", arguments.archive, read.Error().Message()));
  const auto verification = Verify(arguments, submission);
  if (!verification)
    return ReportError(kExitUsage,
                       fmt::format("{}: {}", arguments.archive, verification.Error().Message()));
  return Tell(arguments, submission, **verification);
}

}  // namespace npukit::conformance
