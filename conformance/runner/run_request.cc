// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/run_request.h"

#include <algorithm>
#include <utility>

#include "conformance/observation/sha256.h"
#include "conformance/runner/claims/claimed_cases.h"
#include "conformance/runner/report_files.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/suite/frozen_profile.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// The name of the suite that has no file.
constexpr char kClaimedSuite[] = "claimed";

litert::Unexpected WrongUsage(const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument, message);
}

// One result stands for one name: a suite that is there twice would run, and count, twice.
litert::Expected<void> CheckSuitesDiffer(const std::vector<Suite>& suites) {
  for (size_t i = 0; i < suites.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (suites[i].name == suites[j].name)
        return WrongUsage("the suite '" + suites[i].name + "' is given twice");
    }
  }
  return {};
}

litert::Expected<std::vector<Suite>> LoadSuites(const ConformArguments& arguments) {
  std::vector<Suite> suites;
  if (arguments.suites.empty()) {
    LITERT_ASSIGN_OR_RETURN(suites, LoadDefaultSuites());
  }
  for (const std::string& name : arguments.suites) {
    if (name == kClaimedSuite) continue;
    LITERT_ASSIGN_OR_RETURN(Suite suite, FindSuite(SuiteFolder(), name));
    suites.push_back(std::move(suite));
  }
  if (!arguments.models.empty()) {
    Suite given;
    given.name = kModelSuite;
    given.cases = ModelCases(arguments.models);
    suites.push_back(std::move(given));
  }
  LITERT_RETURN_IF_ERROR(CheckSuitesDiffer(suites));
  return suites;
}

litert::Expected<std::optional<NamePattern>> ParseFilter(const std::string& text) {
  if (text.empty()) return std::optional<NamePattern>();
  auto filter = NamePattern::Compile(text);
  if (!filter) {
    return litert::Unexpected(filter.Error().Status(), "--filter: " + filter.Error().Message());
  }
  return std::optional<NamePattern>(std::move(*filter));
}

// What each profile asks of the whole run.
std::map<std::string, ProfileAsks> AsksOf(const std::vector<Suite>& suites,
                                          const std::vector<Profile>& profiles) {
  std::map<std::string, ProfileAsks> asks;
  for (const Profile& profile : profiles) {
    asks[profile.title()] = {.results = profile.results.size(),
                             .digest = ProfileDigest(profile, suites)};
  }
  return asks;
}

// The profiles that this run can be judged by: all, or the one asked for.
litert::Expected<std::vector<Profile>> ChooseProfiles(const ConformArguments& arguments,
                                                      const std::vector<Suite>& suites) {
  LITERT_ASSIGN_OR_RETURN(std::vector<Profile> profiles, LoadProfiles(ProfileFolder()));
  if (arguments.profile.empty()) {
    const std::vector<std::string> all = DefaultSuiteNames(SuiteFolder());
    const bool whole = std::all_of(all.begin(), all.end(), [&](const std::string& name) {
      return std::any_of(suites.begin(), suites.end(),
                         [&](const Suite& suite) { return suite.name == name; });
    });
    if (!whole) profiles.clear();
    return profiles;
  }
  std::vector<std::string> known;
  for (const Profile& profile : profiles) known.push_back(profile.name);
  std::erase_if(profiles, [&](const Profile& p) { return p.name != arguments.profile; });
  if (profiles.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "no profile '" + arguments.profile +
                                                              "'; known are " + JoinChoices(known));
  }
  return profiles;
}

}  // namespace

std::string SuitesDigest(const std::vector<Suite>& suites) {
  std::string digests;
  for (const Suite& suite : suites) {
    for (const std::string& file : suite.files)
      digests += suite.name + " " + FileDigest(file) + "\n";
  }
  return Sha256(digests);
}

bool AsksForClaimedSuite(const ConformArguments& arguments) {
  const auto& names = arguments.suites;
  return std::find(names.begin(), names.end(), kClaimedSuite) != names.end();
}

litert::Expected<std::unique_ptr<RunRequest>> ReadRequest(const ConformArguments& arguments) {
  if (!arguments.profile.empty() && !arguments.suites.empty()) {
    return WrongUsage(
        "--profile and --suite exclude each other: a profile says which suites it asks");
  }
  auto request = std::make_unique<RunRequest>();
  LITERT_ASSIGN_OR_RETURN(request->suites, LoadSuites(arguments));
  LITERT_ASSIGN_OR_RETURN(request->filter, ParseFilter(arguments.filter));
  LITERT_ASSIGN_OR_RETURN(request->shard, ChooseShard(arguments.shard));
  LITERT_ASSIGN_OR_RETURN(request->profiles, ChooseProfiles(arguments, request->suites));
  request->profile_asks = AsksOf(request->suites, request->profiles);
  return request;
}

litert::Expected<void> AddClaimedSuite(const ConformArguments& arguments,
                                       const PluginUnderTest& under_test,
                                       std::vector<Suite>& suites) {
  if (AsksForClaimedSuite(arguments)) {
    LITERT_ASSIGN_OR_RETURN(const std::vector<Suite> sources, LoadDefaultSuites());
    suites.push_back(ClaimedSuite(sources, under_test));
  } else if (arguments.suites.empty() && arguments.profile.empty()) {
    suites.push_back(ClaimedSuite(suites, under_test));
  }
  return CheckSuitesDiffer(suites);
}

namespace {

// Of each case of which a claimed op is asked anything.
void AskWhetherCompilersAgree(std::vector<Suite>& suites) {
  for (Suite& suite : suites) {
    for (CaseSpec& spec : suite.cases) {
      if (std::any_of(spec.checks.begin(), spec.checks.end(), [](const CheckInfo* check) {
            return check->needs == CheckNeeds::kClaimed && check->klass != "device";
          })) {
        spec.checks.push_back(FindCheck("device.compilers_agree"));
      }
    }
  }
}

}  // namespace

litert::Expected<void> MakePlan(const ConformArguments& arguments, RunRequest& request) {
  if (arguments.compile_on_device) AskWhetherCompilersAgree(request.suites);
  std::vector<PlannedCheck> plan = MakePlan(request.suites, request.filter);
  if (!arguments.profile.empty()) {
    std::erase_if(plan, [&](const PlannedCheck& check) {
      return !request.profiles.front().MustNotFail(check.id.name);
    });
  }
  // merge.cc puts results together again by this rule.
  const auto count = static_cast<size_t>(request.shard.count);
  for (size_t i = static_cast<size_t>(request.shard.index); i < plan.size(); i += count)
    request.plan.push_back(plan[i]);
  if (request.plan.empty()) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              plan.empty() ? "the filter leaves no case" : "the shard is empty");
  }
  return {};
}

}  // namespace npukit::conformance
