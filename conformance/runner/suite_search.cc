// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/suite_search.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "conformance/spec/suite/frozen_profile.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"
#include "sdk/tools/command_line/verb_search.h"

namespace npukit::conformance {

namespace {

std::string SharedFolder(const char* name) {
  const auto own = tools::OwnFolder();
  return own ? (own->parent_path() / "share" / "npukit" / name).string() : std::string();
}

}  // namespace

std::string SuiteFolder() { return SharedFolder("suites"); }

std::string ProfileFolder() { return SharedFolder("profiles"); }

litert::Expected<std::vector<Profile>> LoadProfiles(const std::string& folder) {
  std::vector<Profile> profiles;
  std::set<std::string> names;
  for (const std::string& name : SuiteNames(folder)) {
    LITERT_ASSIGN_OR_RETURN(Profile profile, LoadProfile(folder + "/" + name + ".yaml"));
    if (!names.insert(profile.name).second)
      return SpecError(profile.at, "profile '" + profile.name + "' stands twice");
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

litert::Expected<void> CheckProfiles(const Claims& claims) {
  if (claims.profiles.empty()) return {};
  LITERT_ASSIGN_OR_RETURN(const std::vector<Profile> profiles, LoadProfiles(ProfileFolder()));
  std::vector<std::string> known;
  for (const Profile& profile : profiles) known.push_back(profile.name);
  for (size_t i = 0; i < claims.profiles.size(); ++i) {
    const std::string& name = claims.profiles[i];
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return SpecError(claims.profile_places[i],
                     "no profile '" + name + "'; known are " + JoinChoices(known));
  }
  return {};
}

litert::Expected<Claims> LoadCheckedClaims(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(Claims claims, LoadClaims(path));
  LITERT_RETURN_IF_ERROR(CheckProfiles(claims));
  return claims;
}

std::vector<std::string> SuiteNames(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> DefaultSuiteNames(const std::string& folder) {
  std::vector<std::string> names = SuiteNames(folder);
  std::erase(names, "smoke");
  return names;
}

litert::Expected<std::vector<Suite>> LoadDefaultSuites() {
  const std::string folder = SuiteFolder();
  std::vector<Suite> suites;
  for (const std::string& name : DefaultSuiteNames(folder)) {
    LITERT_ASSIGN_OR_RETURN(Suite suite, FindSuite(folder, name));
    suites.push_back(std::move(suite));
  }
  if (suites.empty())
    return litert::Unexpected(kLiteRtStatusErrorNotFound, "no suites in " + folder);
  return suites;
}

litert::Expected<Suite> FindSuite(const std::string& folder, const std::string& name_or_path) {
  const bool is_path =
      name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".yaml");
  const std::string path = is_path ? name_or_path : folder + "/" + name_or_path + ".yaml";
  const std::vector<std::string> names = SuiteNames(folder);
  if (!is_path && std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    return litert::Unexpected(kLiteRtStatusErrorNotFound,
                              "no suite '" + name_or_path + "'; known are " +
                                  (names.empty() ? "none in " + folder : JoinChoices(names)));
  }
  return LoadSuite(path);
}

}  // namespace npukit::conformance
