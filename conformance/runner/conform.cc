// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "conformance/report/html_report.h"
#include "conformance/report/json_report.h"
#include "conformance/report/junit_report.h"
#include "conformance/report/terminal_report.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/run.h"
#include "conformance/runner/suite_search.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr char kKitVersion[] = "0.1.0";

std::atomic<bool> interrupted = false;

void OnInterrupt(int) { interrupted = true; }

void CatchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int Complain(int code, const std::string& message) {
  fmt::print(stderr, "npukit conform: {}\n", message);
  return code;
}

struct Shard {
  int index = 0;
  int count = 1;
};

// "i/n": i counts from 0 or from 1, n/n being the same as 0/n.
litert::Expected<Shard> ParseShard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.index);
  const bool has_count = first == std::errc() && slash != end && *slash == '/';
  const auto [stop, second] = has_count
                                  ? std::from_chars(slash + 1, end, shard.count)
                                  : std::from_chars_result{slash, std::errc::invalid_argument};
  if (second != std::errc() || stop != end || shard.count < 1 || shard.index < 0 ||
      shard.index > shard.count) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--shard: expected i/n, found '" + text + "'");
  }
  shard.index %= shard.count;
  return shard;
}

// From the option, or from what test runners and Slurm set.
litert::Expected<Shard> ChooseShard(const std::string& option) {
  if (!option.empty()) return ParseShard(option);
  const char* index = std::getenv("TEST_SHARD_INDEX");
  const char* count = std::getenv("TEST_TOTAL_SHARDS");
  if (index == nullptr || count == nullptr) {
    index = std::getenv("SLURM_ARRAY_TASK_ID");
    count = std::getenv("SLURM_ARRAY_TASK_COUNT");
  }
  if (index == nullptr || count == nullptr) return Shard{};
  return ParseShard(std::string(index) + "/" + count);
}

litert::Expected<std::vector<Suite>> LoadSuites(const ConformArguments& arguments) {
  const std::string folder = SuiteFolder();
  const std::vector<std::string> names =
      arguments.suites.empty() ? DefaultSuiteNames(folder) : arguments.suites;
  if (names.empty())
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "no suites in " + folder);
  std::vector<Suite> suites;
  for (const std::string& name : names) {
    LITERT_ASSIGN_OR_RETURN(Suite suite, FindSuite(folder, name));
    suites.push_back(std::move(suite));
  }
  if (arguments.models.empty()) return suites;
  Suite given;
  given.name = "model";
  for (const std::string& path : arguments.models) {
    if (!std::filesystem::is_regular_file(path)) {
      return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": no such file");
    }
    given.cases.push_back(ModelCase(path));
  }
  suites.push_back(std::move(given));
  return suites;
}

litert::Expected<std::optional<std::regex>> ParseFilter(const std::string& text) {
  if (text.empty()) return std::optional<std::regex>();
  try {
    return std::optional<std::regex>(
        std::regex(text, std::regex::ECMAScript | std::regex::optimize));
  } catch (const std::regex_error&) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              "--filter: not a regular expression: '" + text + "'");
  }
}

litert::Expected<void> WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return {};
  return litert::Unexpected(kLiteRtStatusErrorFileIO, path.string() + ": can't be written");
}

litert::Expected<void> WriteReports(const std::string& folder, const RunInfo& info,
                                    const std::vector<CaseResult>& results) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return litert::Unexpected(kLiteRtStatusErrorFileIO, folder + ": " + error.message());
  LITERT_RETURN_IF_ERROR(
      WriteFile(std::filesystem::path(folder) / "results.json", JsonReport(info, results)));
  LITERT_RETURN_IF_ERROR(
      WriteFile(std::filesystem::path(folder) / "junit.xml", JunitReport(info, results)));
  return WriteFile(std::filesystem::path(folder) / "index.html", HtmlReport(info, results));
}

RunInfo DescribeRun(const ConformArguments& arguments, const Subject& subject,
                    const std::vector<Suite>& suites, const Shard& shard) {
  RunInfo info;
  info.kit_version = kKitVersion;
  info.manufacturer = subject.manufacturer;
  info.plugin = subject.plugin_path;
  info.dispatch = subject.dispatch_path;
  info.claims = subject.claims.file;
  for (const Suite& suite : suites) info.suites.push_back(suite.name);
  info.filter = arguments.filter;
  info.shard_index = shard.index;
  info.shard_count = shard.count;
  info.seed = arguments.seed;
  info.command = "npukit conform --plugin-dir " + arguments.plugin_dir;
  if (!arguments.plugin.empty()) info.command += " --plugin " + arguments.plugin;
  for (const std::string& suite : arguments.suites) info.command += " --suite " + suite;
  for (const std::string& model : arguments.models) info.command += " --model " + model;
  if (!arguments.claims.empty()) info.command += " --claims " + arguments.claims;
  if (arguments.seed != 1) info.command += " --seed " + std::to_string(arguments.seed);
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
  for (const PlannedCheck& planned : plan) fmt::print("{}\n", planned.question.name);
  return kExitConformant;
}

int ReportRun(const ConformArguments& arguments, const RunInfo& info,
              const std::vector<CaseResult>& results) {
  if (!arguments.report_dir.empty()) {
    if (auto written = WriteReports(arguments.report_dir, info, results); !written) {
      return Complain(kExitUsage, written.Error().Message());
    }
  }
  fmt::print("{}", arguments.json ? JsonReport(info, results) : TerminalReport(info, results));
  std::fflush(stdout);
  return Verdict(Summarize(results)) == "conformant" ? kExitConformant : kExitNotConformant;
}

int RunAndReport(const ConformArguments& arguments, const Subject& subject,
                 const std::vector<PlannedCheck>& plan, RunInfo info) {
  RunOptions options;
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  options.jobs = arguments.jobs > 0 ? arguments.jobs : static_cast<int>(processors);
  options.timeout_s = arguments.timeout_s;
  options.max_failures = arguments.max_failures;
  options.isolate = !arguments.no_isolation;
  if (isatty(STDERR_FILENO) == 1) options.progress = ShowProgress;
  const auto start = std::chrono::steady_clock::now();
  auto results = RunPlan(plan, subject, options, interrupted);
  if (!results) return Complain(kExitNotLoaded, results.Error().Message());
  // Only a run of everything can say that something is missing.
  const bool whole =
      arguments.suites.empty() && arguments.filter.empty() && info.shard_count == 1 && !interrupted;
  if (whole) {
    for (CaseResult& result : JudgeClaims(subject.claims, *results))
      results->push_back(std::move(result));
  }
  info.interrupted = interrupted;
  info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ReportRun(arguments, info, *results);
}

}  // namespace

int RunConform(const ConformArguments& arguments) {
  const auto suites = LoadSuites(arguments);
  if (!suites) return Complain(kExitUsage, suites.Error().Message());
  const auto filter = ParseFilter(arguments.filter);
  if (!filter) return Complain(kExitUsage, filter.Error().Message());
  const auto shard = ChooseShard(arguments.shard);
  if (!shard) return Complain(kExitUsage, shard.Error().Message());
  const std::vector<PlannedCheck> plan = MakePlan(*suites, *filter, shard->index, shard->count);
  if (plan.empty()) return Complain(kExitUsage, "the filter leaves no case");
  if (arguments.list) return ListPlan(plan);
  if (arguments.plugin_dir.empty()) return Complain(kExitUsage, "--plugin-dir is required");

  CatchInterrupts();
  auto subject = FindSubject(arguments.plugin_dir, arguments.plugin);
  if (!subject) {
    const bool ambiguous = subject.Error().Status() == kLiteRtStatusErrorInvalidArgument;
    return Complain(ambiguous ? kExitUsage : kExitNotLoaded, subject.Error().Message());
  }
  subject->seed = arguments.seed;
  auto claims = FindClaims(arguments, *subject);
  if (!claims) return Complain(kExitUsage, claims.Error().Message());
  subject->claims = std::move(*claims);
  return RunAndReport(arguments, *subject, plan, DescribeRun(arguments, *subject, *suites, *shard));
}

}  // namespace npukit::conformance
