// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/profile.h"

#include <algorithm>
#include <set>

#include "conformance/spec/claims/claims.h"
#include "conformance/spec/graph/networks.h"
#include "conformance/spec/text/schema.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

litert::Expected<void> ReadRequiredClaims(const Value& value, Profile& profile) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  std::set<std::string> observed;
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(item, "a required claim"));
    LITERT_ASSIGN_OR_RETURN(const Value* op, map.Required("op"));
    LITERT_ASSIGN_OR_RETURN(const Value* types, map.Required("types"));
    LITERT_RETURN_IF_ERROR(map.Finish());
    LITERT_ASSIGN_OR_RETURN(const std::vector<std::string> names, ReadOpNames(*op));
    LITERT_ASSIGN_OR_RETURN(const std::vector<TypeClaim> read, ReadTypeClaims(*types));
    for (const std::string& name : names) {
      for (const TypeClaim& type : read) {
        const std::string claim = name + " " + type.ToString();
        if (!observed.insert(claim).second) return SpecError(item.at, claim + " is required twice");
        profile.claims.push_back(claim);
      }
    }
  }
  if (profile.claims.empty()) return SpecError(value.at, "a profile requires at least one claim");
  return {};
}

litert::Expected<void> ReadPatterns(const Value& value, Profile& profile) {
  LITERT_RETURN_IF_ERROR(ExpectList(value));
  for (const Value& item : value.items) {
    LITERT_ASSIGN_OR_RETURN(NamePattern pattern, ReadNamePattern(item));
    profile.passes.push_back(std::move(pattern));
  }
  return {};
}

litert::Expected<void> ReadNetworks(const Value& value, Profile& profile) {
  LITERT_ASSIGN_OR_RETURN(profile.networks, ReadStrings(value));
  for (const std::string& network : profile.networks) {
    if (IsNetwork(network)) continue;
    return SpecError(value.at,
                     "unknown network '" + network + "'; known are " + JoinChoices(NetworkNames()));
  }
  return {};
}

}  // namespace

bool Profile::MustPass(const std::string& result_name) const {
  const auto found = results.find(result_name);
  return found != results.end() && found->second.must_pass;
}

bool Profile::MustNotFail(const std::string& result_name) const {
  return results.contains(result_name);
}

bool Profile::ChoosesToPass(const std::string& result_name) const {
  const bool named = std::any_of(passes.begin(), passes.end(), [&](const NamePattern& pattern) {
    return pattern.Matches(result_name);
  });
  return named || std::any_of(networks.begin(), networks.end(), [&](const std::string& network) {
           return result_name.starts_with("models/" + network + "/model.");
         });
}

bool Profile::ChoosesSound(const std::string& result_name) const {
  return std::any_of(sound_suites.begin(), sound_suites.end(), [&](const std::string& suite) {
    return result_name.starts_with(suite + "/");
  });
}

litert::Expected<Profile> ReadProfile(const Value& value) {
  Profile profile;
  profile.at = value.at;
  LITERT_ASSIGN_OR_RETURN(MapReader map, MapReader::Of(value, "a profile"));
  LITERT_ASSIGN_OR_RETURN(const Value* name, map.Required("profile"));
  LITERT_ASSIGN_OR_RETURN(profile.name, ReadName(*name));
  LITERT_ASSIGN_OR_RETURN(const Value* version, map.Required("version"));
  LITERT_ASSIGN_OR_RETURN(profile.version, ReadName(*version));
  LITERT_ASSIGN_OR_RETURN(const Value* description, map.Required("description"));
  LITERT_ASSIGN_OR_RETURN(profile.description, ReadString(*description));
  LITERT_ASSIGN_OR_RETURN(const Value* claims, map.Required("claims"));
  LITERT_RETURN_IF_ERROR(ReadRequiredClaims(*claims, profile));
  LITERT_ASSIGN_OR_RETURN(const Value* passes, map.Required("passes"));
  LITERT_RETURN_IF_ERROR(ReadPatterns(*passes, profile));
  if (const Value* networks = map.Optional("networks"); networks != nullptr) {
    LITERT_RETURN_IF_ERROR(ReadNetworks(*networks, profile));
  }
  LITERT_ASSIGN_OR_RETURN(const Value* suites, map.Required("sound_suites"));
  LITERT_ASSIGN_OR_RETURN(profile.sound_suites, ReadStrings(*suites));
  LITERT_RETURN_IF_ERROR(map.Finish());
  if (profile.passes.empty() && profile.networks.empty())
    return SpecError(value.at, "a profile needs results that must pass, or networks");
  return profile;
}

}  // namespace npukit::conformance
