// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/judge_whole.h"
#include "conformance/runner/minimize.h"
#include "conformance/runner/process/lean_heap.h"
#include "conformance/runner/propose_claims.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/run_request.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/verdict/baseline.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tools/command_line/version.h"

namespace npukit::conformance {
namespace {

std::atomic<bool> interrupted = false;

void OnInterrupt(int) { interrupted = true; }

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

std::string SuitesDigest(const std::vector<Suite>& suites) {
  std::string digests;
  for (const Suite& suite : suites) {
    for (const std::string& file : suite.files)
      digests += suite.name + " " + FileDigest(file) + "\n";
  }
  return DigestOf(digests);
}

RunInfo DescribeRun(const ConformArguments& arguments, const Subject& subject,
                    const std::vector<Suite>& suites, const Shard& shard) {
  RunInfo info;
  info.kit_version = tools::Version();
  info.manufacturer = subject.manufacturer;
  info.plugin = subject.plugin_path;
  info.dispatch = subject.dispatch_path;
  info.claims = subject.claims.file;
  for (const Suite& suite : suites) info.suites.push_back(suite.name);
  info.filter = arguments.filter;
  if (!arguments.profile.empty()) info.filter += "(profile " + arguments.profile + ")";
  info.shard_index = shard.index;
  info.shard_count = shard.count;
  info.seed = arguments.seed;
  info.command = "npukit conform --plugin-dir " + arguments.plugin_dir;
  if (!arguments.plugin.empty()) info.command += " --plugin " + arguments.plugin;
  for (const std::string& suite : arguments.suites) info.command += " --suite " + suite;
  for (const std::string& model : arguments.models) info.command += " --model " + model;
  if (!arguments.claims.empty()) info.command += " --claims " + arguments.claims;
  if (arguments.seed != 1) info.command += fmt::format(" --seed {}", arguments.seed);
  info.plugin_digest = FileDigest(info.plugin);
  info.dispatch_digest = FileDigest(info.dispatch);
  info.claims_digest = FileDigest(info.claims);
  info.suites_digest = SuitesDigest(suites);
  info.claim_summary = Summarize(subject.claims);
  return info;
}

void ShowProgress(size_t done, size_t total, size_t failed) {
  fmt::print(stderr, "\r{} of {}, {} failed ", done, total, failed);
  if (done == total) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

litert::Expected<Claims> FindClaims(const ConformArguments& arguments, const Subject& subject) {
  std::string path = arguments.claims.empty() ? DefaultClaimsPath(subject) : arguments.claims;
  if (path.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              "no claims: give --claims FILE or put " + subject.manufacturer +
                                  ".claims.yaml beside " + subject.plugin_path);
  }
  return LoadClaims(path);
}

int ListPlan(const std::vector<PlannedCheck>& plan) {
  for (const PlannedCheck& planned : plan) fmt::print("{}\n", planned.id.name);
  return kExitConformant;
}

RunOptions OptionsOf(const ConformArguments& arguments) {
  RunOptions options;
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  options.jobs = arguments.jobs > 0 ? arguments.jobs : static_cast<int>(processors);
  options.timeout_s = arguments.timeout_s;
  options.max_failures = arguments.max_failures;
  options.isolate = !arguments.no_isolation;
  if (isatty(STDERR_FILENO) == 1) options.progress = ShowProgress;
  return options;
}

// Adds what a recorded baseline says of the results' cycles, and records a new one.
litert::Expected<void> ApplyBaseline(const ConformArguments& arguments, const Subject& subject,
                                     std::vector<CaseResult>& results) {
  const std::string path =
      arguments.baseline.empty() ? DefaultBaselinePath(subject) : arguments.baseline;
  if (!path.empty()) {
    LITERT_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(path));
    LITERT_ASSIGN_OR_RETURN(const Baseline baseline, ParseBaseline(text, path));
    if (baseline.manufacturer != subject.manufacturer) {
      return litert::Unexpected(
          kLiteRtStatusErrorInvalidArgument,
          path + ": is of " + baseline.manufacturer + ", not of " + subject.manufacturer);
    }
    for (CaseResult& result : JudgeBaseline(baseline, results))
      results.push_back(std::move(result));
  }
  if (arguments.record_baseline.empty()) return {};
  return WriteTextFile(arguments.record_baseline,
                       WriteBaseline(RecordBaseline(subject.manufacturer, results)));
}

// One failure of each group, made small, beside the reports.
litert::Expected<void> ShrinkFailures(const ConformArguments& arguments, const Subject& subject,
                                      const std::vector<PlannedCheck>& plan,
                                      const std::vector<CaseResult>& results, RunInfo& info) {
  if (arguments.report_dir.empty() || arguments.no_minimize || arguments.no_isolation) return {};
  MinimizeOptions options;
  options.folder = std::filesystem::absolute(arguments.report_dir + "/failures").string();
  options.run = OptionsOf(arguments);
  return MinimizeFailures(plan, results, subject, options, info, interrupted);
}

// A model that was named is to be judged: one that was skipped throughout fails.
void JudgeModelsNamed(const std::vector<PlannedCheck>& plan, std::vector<CaseResult>& results) {
  std::map<std::string, std::string> skipped;  // by model: why
  std::set<std::string> judged;
  for (size_t i = 0; i < plan.size() && i < results.size(); ++i) {
    if (plan[i].spec->suite != kModelSuite) continue;
    const std::string name = plan[i].spec->full_name();
    if (results[i].result == Result::kSkipped) {
      skipped.emplace(name, results[i].detail);
    } else if (plan[i].id.check->klass == "model") {
      judged.insert(name);
    }
  }
  for (const auto& [name, why] : skipped) {
    if (judged.contains(name)) continue;
    CaseResult result;
    result.name = name + "/model.judged";
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

int RunAndReport(const ConformArguments& arguments, const Subject& subject,
                 const std::vector<PlannedCheck>& plan, RunInfo info) {
  const auto start = std::chrono::steady_clock::now();
  const auto before = LoadOlderRun(arguments.compare);
  if (!before) return ReportError(kExitUsage, before.Error().Message());
  if (!arguments.report_dir.empty()) {
    if (auto removed = RemoveReports(arguments.report_dir); !removed)
      return ReportError(kExitUsage, removed.Error().Message());
  }
  auto results = RunPlan(plan, subject, OptionsOf(arguments), interrupted);
  if (!results) return ReportError(kExitNotLoaded, results.Error().Message());
  info.interrupted = interrupted;
  if (auto shrunk = ShrinkFailures(arguments, subject, plan, *results, info); !shrunk)
    return ReportError(kExitUsage, shrunk.Error().Message());
  JudgeModelsNamed(plan, *results);
  if (auto done = ApplyBaseline(arguments, subject, *results); !done)
    return ReportError(kExitUsage, done.Error().Message());
  if (auto judged = JudgeWhole(info, *results, info.shard_count == 1); !judged)
    return ReportError(kExitUsage, judged.Error().Message());
  if (auto compared = CompareWith(*before, info, *results); !compared)
    return ReportError(kExitUsage, compared.Error().Message());
  info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const int code = FinishRun(arguments.report_dir, arguments.json, info, *results);
  if (arguments.profile.empty() || code != kExitConformant || info.shard_count > 1) return code;
  return ConformantTo(info.profiles).empty() ? kExitNotConformant : kExitConformant;
}

// Model files are not trusted and must be readable before anything runs: a verdict over a plugin
// must not depend on them. Empty if all are.
std::string ModelProblem(const std::vector<Suite>& suites) {
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      if (spec.model_path.empty()) continue;
      if (const auto model = LoadModel(spec.model_path); !model) return model.Error().Message();
    }
  }
  return {};
}

int Propose(const ConformArguments& arguments, const std::vector<Suite>& suites,
            const Subject& subject) {
  // Strange graphs would blur the limits; a suite that was asked for by name counts.
  std::vector<Suite> asked = suites;
  if (arguments.suites.empty())
    std::erase_if(asked, [](const Suite& suite) { return suite.name == "robustness"; });
  auto proposal = ProposeClaims(asked, subject, OptionsOf(arguments).jobs, interrupted);
  if (!proposal) return ReportError(kExitNotLoaded, proposal.Error().Message());
  fmt::print(stderr, "npukit conform: asked about {} cases, {} could not be asked about\n",
             proposal->cases_asked, proposal->cases_left_out);
  if (arguments.propose_claims == "-") {
    fmt::print("{}", proposal->yaml);
    return kExitConformant;
  }
  const auto written = WriteTextFile(arguments.propose_claims, proposal->yaml);
  return written ? kExitConformant : ReportError(kExitUsage, written.Error().Message());
}

// Without claims what they ask is not known.
int ListWithoutPlugin(const ConformArguments& arguments, RunRequest& request) {
  if (!arguments.claims.empty()) {
    Subject subject;
    auto claims = LoadClaims(arguments.claims);
    if (!claims) return ReportError(kExitUsage, claims.Error().Message());
    subject.claims = std::move(*claims);
    if (auto added = AddClaimedSuite(arguments, subject, request.suites); !added)
      return ReportError(kExitUsage, added.Error().Message());
  }
  if (auto made = MakePlan(arguments, request); !made)
    return ReportError(kExitUsage, made.Error().Message());
  return ListPlan(request.plan);
}

}  // namespace

int RunConform(const ConformArguments& arguments) {
  litert::Expected<std::unique_ptr<RunRequest>> made(std::unique_ptr<RunRequest>{});
  OnAnotherHeap([&] { made = ReadRequest(arguments); });
  if (!made) return ReportError(kExitUsage, made.Error().Message());
  RunRequest& request = **made;
  if (arguments.list && arguments.plugin_dir.empty()) return ListWithoutPlugin(arguments, request);
  if (arguments.plugin_dir.empty()) return ReportError(kExitUsage, "--plugin-dir is required");

  if (const std::string problem = ModelProblem(request.suites); !problem.empty())
    return ReportError(kExitNotLoaded, problem);
  CatchInterrupts();
  auto subject = FindSubject(arguments.plugin_dir, arguments.plugin);
  if (!subject) {
    const bool ambiguous = subject.Error().Status() == kLiteRtStatusErrorInvalidArgument;
    return ReportError(ambiguous ? kExitUsage : kExitNotLoaded, subject.Error().Message());
  }
  subject->seed = arguments.seed;
  if (!arguments.propose_claims.empty()) return Propose(arguments, request.suites, *subject);
  auto claims = FindClaims(arguments, *subject);
  if (!claims) return ReportError(kExitUsage, claims.Error().Message());
  subject->claims = std::move(*claims);
  litert::Expected<void> added;
  OnAnotherHeap([&] { added = AddClaimedSuite(arguments, *subject, request.suites); });
  if (!added) return ReportError(kExitUsage, added.Error().Message());
  if (auto plan = MakePlan(arguments, request); !plan)
    return ReportError(kExitUsage, plan.Error().Message());
  if (arguments.list) return ListPlan(request.plan);
  RunInfo info = DescribeRun(arguments, *subject, request.suites, request.shard);
  info.profile_asks = request.profile_asks;
  return RunAndReport(arguments, *subject, request.plan, std::move(info));
}

}  // namespace npukit::conformance
