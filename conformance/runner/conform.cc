// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "conformance/observation/observation_file.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/runner/claims/asked_claims.h"
#include "conformance/runner/claims/propose_claims.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/judge_whole.h"
#include "conformance/runner/judged_plugin.h"
#include "conformance/runner/minimize.h"
#include "conformance/runner/process/device_pool.h"
#include "conformance/runner/process/lean_heap.h"
#include "conformance/runner/process/supervisor.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/run_description.h"
#include "conformance/runner/run_request.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/verdict/baseline.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/library/shared_libraries.h"
#include "sdk/host/model/reading/model_reader.h"

namespace npukit::conformance {
namespace {

// By a signal, and nothing else.
std::atomic<bool> interrupted = false;
// Also when enough failed.
std::atomic<bool> should_stop = false;

void OnInterrupt(int) {
  interrupted = true;
  should_stop = true;
}

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void ShowProgress(size_t done, size_t total, size_t failed) {
  fmt::print(stderr, "\r{} of {}, {} failed ", done, total, failed);
  if (done == total) fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

litert::Expected<Claims> FindClaims(const ConformArguments& arguments,
                                    const PluginUnderTest& under_test) {
  std::string path = arguments.claims.empty() ? DefaultClaimsPath(under_test) : arguments.claims;
  if (path.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              "no claims: give --claims FILE or put " + under_test.manufacturer +
                                  ".claims.yaml beside the compiler plugin");
  }
  return LoadCheckedClaims(path);
}

int ListPlan(const std::vector<PlannedCheck>& plan) {
  for (const PlannedCheck& planned : plan) fmt::print("{}\n", planned.id.name);
  return kExitConformant;
}

// Tasks at a time; `devices` is null where all run here.
int TasksAtOnce(const ConformArguments& arguments, const DevicePool* devices) {
  if (arguments.jobs > 0 || devices == nullptr) return CheckJobsOr(arguments.jobs);
  return devices->TasksAtOnce(JobsOr(0));
}

RunOptions OptionsOf(const ConformArguments& arguments, DevicePool* devices = nullptr) {
  RunOptions options;
  options.jobs = TasksAtOnce(arguments, devices);
  options.devices = devices;
  options.timeout_s = arguments.timeout_s;
  options.max_failures = arguments.max_failures;
  options.isolate = !arguments.no_isolation;
  if (isatty(STDERR_FILENO) == 1) options.progress = ShowProgress;
  return options;
}

// One failure of each group, made small, beside the reports.
litert::Expected<void> ShrinkFailures(const ConformArguments& arguments,
                                      const PluginUnderTest& under_test,
                                      const std::vector<PlannedCheck>& plan,
                                      const std::vector<CaseResult>& results, RunInfo& info) {
  // Nothing is made smaller on a device: each of many tries would need a connection.
  if (arguments.report_dir.empty() || arguments.no_minimize || arguments.no_isolation ||
      under_test.device) {
    return {};
  }
  MinimizeOptions options;
  std::error_code error;
  options.folder = std::filesystem::absolute(arguments.report_dir + "/failures", error).string();
  if (error) {
    return litert::Unexpected(kLiteRtStatusErrorFileIO,
                              arguments.report_dir + ": " + error.message());
  }
  options.run = OptionsOf(arguments);
  return MinimizeFailures(plan, results, under_test, options, info, interrupted);
}

// All that can be wrong with files is found before anything runs.
struct HeldAgainst {
  std::optional<OlderRun> older;
  std::optional<Baseline> baseline;  // of the results' cycles
  std::optional<Waivers> waivers;
};

litert::Expected<std::optional<Waivers>> ReadWaivers(const ConformArguments& arguments,
                                                     const PluginUnderTest& under_test,
                                                     const RunInfo& info,
                                                     const std::vector<PlannedCheck>& plan) {
  if (arguments.waivers.empty()) return std::optional<Waivers>();
  LITERT_ASSIGN_OR_RETURN(Waivers waivers, LoadWaivers(arguments.waivers));
  LITERT_RETURN_IF_ERROR(CheckWaivers(waivers, under_test.claims));
  if (IsUnrestricted(info) && info.shard_count == 1) {
    std::vector<std::string> names;
    for (const PlannedCheck& planned : plan) names.push_back(planned.id.name);
    LITERT_RETURN_IF_ERROR(CheckWaiversMatch(waivers, names));
  }
  return std::optional<Waivers>(std::move(waivers));
}

litert::Expected<HeldAgainst> ReadHeldAgainst(const ConformArguments& arguments,
                                              const PluginUnderTest& under_test,
                                              const RunInfo& info,
                                              const std::vector<PlannedCheck>& plan) {
  HeldAgainst held;
  LITERT_ASSIGN_OR_RETURN(held.older, LoadOlderRun(arguments.compare));
  LITERT_RETURN_IF_ERROR(CheckComparable(held.older, info));
  if (const std::string path = BaselinePath(arguments, under_test); !path.empty()) {
    LITERT_ASSIGN_OR_RETURN(held.baseline, LoadBaseline(path, under_test.manufacturer));
  }
  LITERT_ASSIGN_OR_RETURN(held.waivers, ReadWaivers(arguments, under_test, info, plan));
  return held;
}

litert::Expected<void> Record(const ConformArguments& arguments, const PluginUnderTest& under_test,
                              const std::optional<Baseline>& before,
                              const std::vector<CaseResult>& results) {
  if (arguments.record_baseline.empty()) return {};
  return WriteTextFile(
      arguments.record_baseline,
      WriteBaseline(RecordBaseline(under_test.manufacturer, before.value_or(Baseline{}), results)));
}

// Where they are to be kept; null where they are not.
litert::Expected<std::unique_ptr<ObservationWriter>> KeepObservations(
    const ConformArguments& arguments, RunOptions& options) {
  if (!arguments.observations) return std::unique_ptr<ObservationWriter>();
  std::error_code error;
  std::filesystem::create_directories(arguments.report_dir, error);
  LITERT_ASSIGN_OR_RETURN(auto writer, ObservationWriter::Create(fmt::format(
                                           "{}/{}", arguments.report_dir, kObservationFile)));
  options.keep_observed = [into = writer.get()](const std::string& name,
                                                const std::string& observed) {
    into->Add(name, observed);
  };
  return writer;
}

int RunAndReport(const ConformArguments& arguments, const PluginUnderTest& under_test,
                 const std::vector<PlannedCheck>& plan, RunInfo info) {
  const auto start = std::chrono::steady_clock::now();
  const auto held = ReadHeldAgainst(arguments, under_test, info, plan);
  if (!held) return ReportError(kExitUsage, held.Error().Message());
  const Waivers* const waivers = held->waivers ? &*held->waivers : nullptr;
  if (waivers != nullptr) info.claim_summary.waivers = Summarize(*waivers);
  if (!arguments.report_dir.empty()) {
    if (auto removed = RemoveReports(arguments.report_dir); !removed)
      return ReportError(kExitUsage, removed.Error().Message());
  }
  info.isolation_gaps = FindIsolationGaps(OptionsOf(arguments));
  std::unique_ptr<DevicePool> devices;
  if (under_test.device) {
    auto opened = DevicePool::Open(*under_test.device);
    if (!opened) return ReportError(kExitNotLoaded, opened.Error().Message());
    devices = std::move(*opened);
  }
  RunOptions options = OptionsOf(arguments, devices.get());
  options.waivers = waivers;
  auto observations = KeepObservations(arguments, options);
  if (!observations) return ReportError(kExitUsage, observations.Error().Message());
  auto results = RunPlan(plan, under_test, options, should_stop);
  devices.reset();
  if (!results) return ReportError(kExitNotLoaded, results.Error().Message());
  info.interrupted = interrupted;
  if (*observations != nullptr) {
    if (auto kept = (*observations)->Finish(); !kept)
      return ReportError(kExitUsage, kept.Error().Message());
  }
  std::vector<const CaseSpec*> specs;
  for (const PlannedCheck& planned : plan) specs.push_back(planned.spec);
  NoteAskedClaims(specs, under_test, *results);
  // The reports come all the same.
  const auto shrunk = ShrinkFailures(arguments, under_test, plan, *results, info);
  if (held->baseline) {
    for (CaseResult& result : JudgeBaseline(*held->baseline, *results, under_test.claims)) {
      MeetWaivers(waivers, result);
      results->push_back(std::move(result));
    }
  }
  if (auto judged = JudgeWhole(info, *results, info.shard_count == 1); !judged)
    return ReportError(kExitUsage, judged.Error().Message());
  CompareWith(held->older, info, *results);
  info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const int code = FinishRun(arguments.report_dir, arguments.json, info, *results);
  if (!shrunk) return ReportError(kExitUsage, shrunk.Error().Message());
  if (auto recorded = Record(arguments, under_test, held->baseline, *results); !recorded)
    return ReportError(kExitUsage, recorded.Error().Message());
  return code;
}

// A runner that stands still for so long is ended.
constexpr std::chrono::seconds kLongestStop{10};

// As RunAndReport, in a process that this one watches: however it ends, there are reports of this run.
int RunSupervised(const ConformArguments& arguments, const PluginUnderTest& under_test,
                  const std::vector<PlannedCheck>& plan, RunInfo info) {
  const auto start = std::chrono::steady_clock::now();
  const auto end =
      Supervise([&] { return RunAndReport(arguments, under_test, plan, info); }, kLongestStop);
  if (!end) return ReportError(kExitNotLoaded, end.Error().Message());
  if (end->cut_short.empty()) return end->exit_code;
  info.interrupted = true;
  info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<CaseResult> results;
  for (const PlannedCheck& planned : plan) {
    results.push_back(NotRun(planned.id));
    results.back().detail = "lost: the kit's runner " + end->cut_short;
  }
  ReportError(kExitNotConformant, "the runner " + end->cut_short + "; its results are lost");
  return FinishRun(arguments.report_dir, arguments.json, info, results);
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
            const PluginUnderTest& under_test) {
  // Strange graphs would blur the limits; a suite that was asked for by name counts.
  std::vector<Suite> asked = suites;
  if (arguments.suites.empty())
    std::erase_if(asked, [](const Suite& suite) { return suite.name == "robustness"; });
  std::unique_ptr<DevicePool> devices;
  if (arguments.compile_on_device) {
    auto opened = DevicePool::Open(*under_test.device);
    if (!opened) return ReportError(kExitNotLoaded, opened.Error().Message());
    devices = std::move(*opened);
  }
  auto proposal = ProposeClaims(asked, under_test, TasksAtOnce(arguments, devices.get()),
                                devices.get(), should_stop);
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
  if (arguments.claims.empty() && AsksForClaimedSuite(arguments)) {
    return ReportError(kExitUsage,
                       "--suite claimed follows from claims: give --claims or --plugin-dir");
  }
  if (!arguments.claims.empty()) {
    PluginUnderTest under_test;
    auto claims = LoadCheckedClaims(arguments.claims);
    if (!claims) return ReportError(kExitUsage, claims.Error().Message());
    under_test.claims = std::move(*claims);
    if (auto added = AddClaimedSuite(arguments, under_test, request.suites); !added)
      return ReportError(kExitUsage, added.Error().Message());
  }
  if (auto made = MakePlan(arguments, request); !made)
    return ReportError(kExitUsage, made.Error().Message());
  return ListPlan(request.plan);
}

}  // namespace

// Where workers look for operator packages when they make sessions.
void NameOpPackages(const std::vector<std::string>& folders) {
  if (folders.empty()) return;
  const char* named = std::getenv("NPUKIT_OP_PACKAGE_PATH");
  std::string path = named == nullptr ? "" : named;
  for (const std::string& folder : folders) path += (path.empty() ? "" : ":") + folder;
  setenv("NPUKIT_OP_PACKAGE_PATH", path.c_str(), 1);
}

int RunConform(const ConformArguments& arguments) {
  for (const std::string& folder : arguments.op_package_dirs) {
    std::error_code no_folder;
    if (!std::filesystem::is_directory(FolderOf(folder), no_folder))
      return ReportError(kExitNotLoaded, "--op-package-dir: " + folder + " is not a folder");
  }
  NameOpPackages(arguments.op_package_dirs);
  litert::Expected<std::unique_ptr<RunRequest>> made(std::unique_ptr<RunRequest>{});
  OnAnotherHeap([&] { made = ReadRequest(arguments); });
  if (!made) return ReportError(kExitUsage, made.Error().Message());
  RunRequest& request = **made;
  if (arguments.list && arguments.plugin_dir.empty()) return ListWithoutPlugin(arguments, request);
  if (DeviceFolderOf(arguments).empty() ||
      (arguments.plugin_dir.empty() && !arguments.compile_on_device)) {
    return ReportError(kExitUsage, "--plugin-dir is required");
  }
  if (arguments.observations && (arguments.report_dir.empty() || arguments.no_isolation))
    return ReportError(kExitUsage, "--observations needs --report, and excludes --no-isolation");

  if (const std::string problem = ModelProblem(request.suites); !problem.empty())
    return ReportError(kExitNotLoaded, problem);
  CatchInterrupts();
  int exit_code = kExitNotLoaded;
  auto under_test = FindJudged(arguments, exit_code);
  if (!under_test) return exit_code;
  if (!arguments.propose_claims.empty()) return Propose(arguments, request.suites, *under_test);
  auto claims = FindClaims(arguments, *under_test);
  if (!claims) return ReportError(kExitUsage, claims.Error().Message());
  under_test->claims = std::move(*claims);
  litert::Expected<void> planned;
  OnAnotherHeap([&] {
    planned = AddClaimedSuite(arguments, *under_test, request.suites);
    if (planned) planned = MakePlan(arguments, request);
  });
  if (!planned) return ReportError(kExitUsage, planned.Error().Message());
  if (arguments.list) return ListPlan(request.plan);
  RunInfo info = DescribeRun(arguments, *under_test, request.suites, request.shard);
  info.profile_asks = request.profile_asks;
  // A debugger follows one process.
  if (arguments.no_isolation)
    return RunAndReport(arguments, *under_test, request.plan, std::move(info));
  return RunSupervised(arguments, *under_test, request.plan, std::move(info));
}

}  // namespace npukit::conformance
