// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/run_request.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "conformance/runner/claimed_cases.h"
#include "conformance/runner/suite_search.h"
#include "conformance/spec/suite/frozen_profile.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

// The name of the suite that has no file.
constexpr char kClaimedSuite[] = "claimed";

litert::Expected<std::vector<Suite>> LoadSuites(const ConformArguments& arguments) {
  const std::string folder = SuiteFolder();
  std::vector<std::string> names =
      arguments.suites.empty() ? DefaultSuiteNames(folder) : arguments.suites;
  const bool claimed = std::erase(names, kClaimedSuite) > 0;
  if (names.empty() && !claimed)
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "no suites in " + folder);
  std::vector<Suite> suites;
  for (const std::string& name : names) {
    LITERT_ASSIGN_OR_RETURN(Suite suite, FindSuite(folder, name));
    suites.push_back(std::move(suite));
  }
  if (arguments.models.empty()) return suites;
  Suite given;
  given.name = kModelSuite;
  for (const std::string& path : arguments.models) {
    if (!std::filesystem::is_regular_file(path)) {
      return litert::Unexpected(kLiteRtStatusErrorNotFound, path + ": no such file");
    }
    given.cases.push_back(ModelCase(path));
  }
  suites.push_back(std::move(given));
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

litert::Expected<std::unique_ptr<RunRequest>> ReadRequest(const ConformArguments& arguments) {
  auto request = std::make_unique<RunRequest>();
  LITERT_ASSIGN_OR_RETURN(request->suites, LoadSuites(arguments));
  LITERT_ASSIGN_OR_RETURN(request->filter, ParseFilter(arguments.filter));
  LITERT_ASSIGN_OR_RETURN(request->shard, ChooseShard(arguments.shard));
  LITERT_ASSIGN_OR_RETURN(request->profiles, ChooseProfiles(arguments, request->suites));
  request->profile_asks = AsksOf(request->suites, request->profiles);
  return request;
}

litert::Expected<void> AddClaimedSuite(const ConformArguments& arguments, const Subject& subject,
                                       std::vector<Suite>& suites) {
  const auto& names = arguments.suites;
  const bool by_name = std::find(names.begin(), names.end(), kClaimedSuite) != names.end();
  if (by_name) {
    ConformArguments all = arguments;
    all.suites.clear();
    all.models.clear();
    LITERT_ASSIGN_OR_RETURN(const std::vector<Suite> sources, LoadSuites(all));
    suites.push_back(ClaimedSuite(sources, subject));
  } else if (names.empty() && arguments.profile.empty()) {
    suites.push_back(ClaimedSuite(suites, subject));
  }
  return {};
}

litert::Expected<void> MakePlan(const ConformArguments& arguments, RunRequest& request) {
  std::vector<PlannedCheck> plan = MakePlan(request.suites, request.filter, 0, 1);
  if (!arguments.profile.empty()) {
    std::erase_if(plan, [&](const PlannedCheck& check) {
      return !request.profiles.front().MustNotFail(check.id.name);
    });
  }
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
