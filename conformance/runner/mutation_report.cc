// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The kit judged: does it find each planted fault, and does it let the healthy plugin pass?

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/runner/claims/claimed_cases.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/process/lean_heap.h"
#include "conformance/runner/run.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/claims/name_pattern.h"
#include "conformance/verdict/claim_coverage.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/json_text.h"
#include "sdk/tools/command_line/text_table.h"
#include "sdk/tools/command_line/verb_search.h"

namespace npukit::conformance {
namespace {

// Faults that hang are found after this long.
constexpr double kTimeoutSeconds = 5;

struct FaultInfo {
  const char* name;
  const char* expected_check;
  const char* description;
};
constexpr FaultInfo kFaults[] = {
#define FAULT(name, found_by, description) {#name, #found_by, description},
#include "conformance/faulty_plugins/faults.def"
};

struct Finding {
  const FaultInfo* fault = nullptr;
  bool found = false;
  std::string found_by;  // check
  std::string result;    // name of the failed result
  std::string detail;
  std::string error;  // the plugin could not be judged at all
};

std::string DefaultPluginsDir() {
  const auto own = tools::OwnFolder();
  return own ? (own->parent_path() / "faulty_plugins").string() : std::string();
}

litert::Expected<PluginUnderTest> LoadSubject(const std::string& folder) {
  LITERT_ASSIGN_OR_RETURN(PluginUnderTest under_test, FindPluginUnderTest(folder, ""));
  LITERT_ASSIGN_OR_RETURN(under_test.claims, LoadClaims(folder + "/Mimic.claims.yaml"));
  return under_test;
}

RunOptions Options(const MutationArguments& arguments) {
  RunOptions options;
  options.jobs = CheckJobsOr(arguments.jobs);
  options.timeout_s = kTimeoutSeconds;
  return options;
}

litert::Expected<std::optional<CaseResult>> FirstFailure(const std::vector<PlannedCheck>& plan,
                                                         const PluginUnderTest& under_test,
                                                         const RunOptions& options) {
  std::atomic<bool> stop = false;
  LITERT_ASSIGN_OR_RETURN(const std::vector<CaseResult> results,
                          RunPlan(plan, under_test, options, stop));
  const auto failed = std::find_if(results.begin(), results.end(), [](const CaseResult& result) {
    return result.result == Result::kFailed;
  });
  return failed == results.end() ? std::nullopt : std::optional(*failed);
}

// The checks that are meant to find the fault, and if they do not, all others, up to the first
// failure. Not both together: another check that fails sooner would end the run. The former
// are mixed: where a fault shows in one of a hundred cases, a hundred are asked and not all of the
// operators before it. Only the time depends on the order.
litert::Expected<Finding> Hunt(const FaultInfo& fault, const std::string& folder,
                               std::vector<PlannedCheck> plan, RunOptions options) {
  LITERT_ASSIGN_OR_RETURN(const PluginUnderTest under_test, LoadSubject(folder));
  const auto others = std::stable_partition(
      plan.begin(), plan.end(),
      [&](const PlannedCheck& planned) { return planned.id.check->id == fault.expected_check; });
  std::shuffle(plan.begin(), others, std::mt19937(/*seed=*/1));
  options.max_failures = 1;
  Finding finding;
  finding.fault = &fault;
  const std::vector<PlannedCheck> rest(std::make_move_iterator(others),
                                       std::make_move_iterator(plan.end()));
  plan.erase(others, plan.end());
  for (const auto* part : {&std::as_const(plan), &rest}) {
    LITERT_ASSIGN_OR_RETURN(const std::optional<CaseResult> failed,
                            FirstFailure(*part, under_test, options));
    if (!failed) continue;
    finding.found = true;
    finding.found_by = failed->check;
    finding.result = failed->name;
    finding.detail = failed->detail;
    break;
  }
  return finding;
}

nlohmann::ordered_json ToJson(const std::vector<Finding>& findings,
                              const std::vector<CaseResult>& healthy) {
  nlohmann::ordered_json json;
  const Summary summary = Summarize(healthy);
  json["healthy"] = {{"verdict", std::string(Verdict(summary))},
                     {"passed", summary.passed},
                     {"failed", summary.failed},
                     {"skipped", summary.skipped}};
  json["plugins"] = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    nlohmann::ordered_json plugin = {{"name", finding.fault->name},
                                     {"fault", finding.fault->description},
                                     {"found", finding.found},
                                     {"found_by", finding.found_by},
                                     {"expected", finding.fault->expected_check},
                                     {"result", finding.result},
                                     {"detail", finding.detail}};
    if (!finding.error.empty()) plugin["error"] = finding.error;
    json["plugins"].push_back(plugin);
  }
  return json;
}

void PrintTable(const std::vector<Finding>& findings, const std::vector<CaseResult>& healthy) {
  tools::TextTable table("<<<");
  table.Add({"plugin", "found by", "fault"});
  size_t found = 0;
  for (const Finding& finding : findings) {
    found += finding.found;
    const std::string by = !finding.error.empty() ? finding.error
                           : finding.found        ? finding.found_by
                                                  : "NOT FOUND";
    table.Add({finding.fault->name, by, finding.fault->description});
  }
  fmt::print("{}", table.Text());
  fmt::print("\n{} of {} faults found\n", found, findings.size());
  if (healthy.empty()) return fmt::print("healthy plugin: not judged, because of --filter\n");
  const Summary summary = Summarize(healthy);
  fmt::print("healthy plugin: {} ({} passed, {} failed, {} skipped)\n", Verdict(summary),
             summary.passed, summary.failed, summary.skipped);
  for (const CaseResult& result : healthy) {
    if (result.result == Result::kFailed) fmt::print("  {}: {}\n", result.name, result.detail);
  }
}

// One finding per fault that the filter leaves.
std::vector<Finding> HuntAll(const MutationArguments& arguments, const std::string& root,
                             const std::vector<PlannedCheck>& plan, const NamePattern& filter) {
  std::vector<Finding> findings;
  for (const FaultInfo& fault : kFaults) {
    if (!filter.IsFoundIn(fault.name)) continue;
    auto finding = Hunt(fault, root + "/" + fault.name, plan, Options(arguments));
    if (finding) {
      findings.push_back(*finding);
    } else {
      findings.push_back({.fault = &fault,
                          .found = false,
                          .found_by = {},
                          .result = {},
                          .detail = {},
                          .error = finding.Error().Message()});
    }
  }
  return findings;
}

}  // namespace

int RunMutationReport(const MutationArguments& arguments) {
  const std::string root =
      arguments.plugins_dir.empty() ? DefaultPluginsDir() : arguments.plugins_dir;
  auto fail = [](int code, const std::string& message) {
    fmt::print(stderr, "npukit conform mutation-report: {}\n", message);
    return code;
  };
  const auto filter = NamePattern::Compile(arguments.filter);
  if (!filter) return fail(kExitUsage, "--filter: " + filter.Error().Message());
  if (std::none_of(std::begin(kFaults), std::end(kFaults),
                   [&](const FaultInfo& fault) { return filter->IsFoundIn(fault.name); })) {
    return fail(kExitUsage,
                fmt::format("--filter: no faulty plugin's name has '{}' in it", arguments.filter));
  }
  litert::Expected<std::vector<Suite>> suites(std::vector<Suite>{});
  OnAnotherHeap([&] { suites = LoadDefaultSuites(); });
  if (!suites) return fail(kExitUsage, suites.Error().Message());
  // All copies have the same claims.
  const auto claims = LoadClaims(root + "/healthy/Mimic.claims.yaml");
  if (!claims) return fail(kExitUsage, claims.Error().Message());
  PluginUnderTest claimant;
  claimant.claims = *claims;
  OnAnotherHeap([&] { suites->push_back(ClaimedSuite(*suites, claimant)); });
  const std::vector<PlannedCheck> plan = MakePlan(*suites, std::nullopt);

  std::vector<CaseResult> healthy;
  if (arguments.filter.empty()) {
    const auto under_test = LoadSubject(root + "/healthy");
    if (!under_test) return fail(kExitNotLoaded, under_test.Error().Message());
    RunOptions options = Options(arguments);
    options.timeout_s.reset();
    std::atomic<bool> stop = false;
    auto results = RunPlan(plan, *under_test, options, stop);
    if (!results) return fail(kExitNotLoaded, results.Error().Message());
    healthy = std::move(*results);
    for (CaseResult& result : JudgeClaims(Summarize(under_test->claims), healthy, {}))
      healthy.push_back(std::move(result));
  }
  const std::vector<Finding> findings = HuntAll(arguments, root, plan, *filter);
  if (arguments.json) {
    fmt::print("{}\n", tools::JsonText(ToJson(findings, healthy), 1));
  } else {
    PrintTable(findings, healthy);
  }
  const bool all_found =
      std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.found; });
  const bool healthy_passes = healthy.empty() || Verdict(Summarize(healthy)) == "conformant";
  return all_found && healthy_passes && !findings.empty() ? kExitConformant : kExitNotConformant;
}

}  // namespace npukit::conformance
