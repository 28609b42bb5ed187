// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/frozen_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>

#include "conformance/spec/suite/case_text.h"
#include "conformance/spec/text/text_file.h"
#include "conformance/spec/text/text_hash.h"
#include "conformance/spec/text/value_parser.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

using Results = std::map<std::string, ProfileResult>;

enum class Demand { kNone, kSound, kPasses };

// Results of the suites of which something is demanded.
Results ChooseResults(const std::vector<Suite>& suites,
                      const std::function<Demand(const std::string&)>& demand_of) {
  Results results;
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      std::string contents;  // made once, and only of cases that count
      for (const CheckInfo* check : spec.checks) {
        const std::string name = fmt::format("{}/{}", spec.full_name(), check->id);
        const Demand demand = demand_of(name);
        if (demand == Demand::kNone) continue;
        if (contents.empty()) contents = DigestOf(CaseText(spec));
        results[name] = {.must_pass = demand == Demand::kPasses, .contents = contents};
      }
    }
  }
  return results;
}

// The results that the profile's list names, as they are in these suites.
Results ResultsNow(const Profile& profile, const std::vector<Suite>& suites) {
  return ChooseResults(suites, [&](const std::string& name) {
    if (profile.MustPass(name)) return Demand::kPasses;
    return profile.MustNotFail(name) ? Demand::kSound : Demand::kNone;
  });
}

std::string DigestOfAll(const Profile& profile, const Results& results) {
  std::vector<std::string> lines;
  for (const std::string& claim : profile.claims) lines.push_back("claim " + claim);
  for (const std::string& network : profile.networks) lines.push_back("network " + network);
  for (const auto& [name, result] : results) {
    lines.push_back(
        fmt::format("{} {} {}", result.must_pass ? "passes" : "sound", name, result.contents));
  }
  std::sort(lines.begin(), lines.end());
  return DigestOf(fmt::format("{}\n", fmt::join(lines, "\n")));
}

litert::Unexpected BadLine(const std::string& file, size_t line, const std::string& message) {
  return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                            fmt::format("{}:{}: {}", file, line, message));
}

// "passes CASE CONTENTS CHECK ...", without the first word. Empty, or what is wrong.
std::string AddResults(std::istringstream& words, bool must_pass, Results& results) {
  std::string case_name;
  std::string contents;
  std::string check;
  if (!(words >> case_name >> contents >> check))
    return "expected a case, its digest and at least one check";
  do {
    const std::string name = fmt::format("{}/{}", case_name, check);
    if (!results.emplace(name, ProfileResult{must_pass, contents}).second)
      return fmt::format("{} stands twice", name);
  } while (words >> check);
  return {};
}

litert::Expected<void> ExpectSame(const std::string& file, const char* what,
                                  const std::vector<std::string>& rules,
                                  const std::vector<std::string>& frozen) {
  if (rules == frozen) return {};
  auto list = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
  };
  return litert::Unexpected(
      kLiteRtStatusErrorInvalidArgument,
      fmt::format("{}: {} are {}, the profile's {}; a change is a new version", file, what,
                  list(frozen), list(rules)));
}

}  // namespace

std::string FreezeProfile(const Profile& profile, const std::vector<Suite>& suites) {
  const Results results = ChooseResults(suites, [&](const std::string& name) {
    if (profile.ChoosesToPass(name)) return Demand::kPasses;
    return profile.ChoosesSound(name) ? Demand::kSound : Demand::kNone;
  });
  // A case's name ends where the check's begins, after the last '/'.
  std::map<std::string, std::string> lines;
  for (const auto& [name, result] : results) {
    const size_t slash = name.rfind('/');
    const std::string begin = fmt::format("{} {} {}", result.must_pass ? "passes" : "sound",
                                          name.substr(0, slash), result.contents);
    lines[begin] += " " + name.substr(slash + 1);
  }
  std::string text = fmt::format(
      "# What {} asks. Written by `npukit-conform freeze`, never edited: a change is a new "
      "version.\n",
      profile.title());
  for (const std::string& claim : profile.claims) text += fmt::format("claim {}\n", claim);
  for (const std::string& network : profile.networks) text += fmt::format("network {}\n", network);
  for (const auto& [begin, checks] : lines) text += fmt::format("{}{}\n", begin, checks);
  return text;
}

std::string FrozenPath(const Profile& profile, const std::string& profile_path) {
  const std::string file = fmt::format("{}-{}.txt", profile.name, profile.version);
  return (std::filesystem::path(profile_path).parent_path() / file).string();
}

litert::Expected<void> ReadFrozen(const std::string& text, const std::string& file,
                                  Profile& profile) {
  profile.results.clear();
  std::vector<std::string> claims;
  std::vector<std::string> networks;
  std::istringstream lines(text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string kind;
    if (!(words >> kind) || kind.starts_with('#')) continue;
    if (kind == "claim") {
      claims.push_back(line.substr(std::min(line.size(), kind.size() + 1)));
    } else if (kind == "network") {
      networks.push_back(line.substr(std::min(line.size(), kind.size() + 1)));
    } else if (kind == "passes" || kind == "sound") {
      const std::string problem = AddResults(words, kind == "passes", profile.results);
      if (!problem.empty()) return BadLine(file, number, problem);
    } else {
      return BadLine(
          file, number,
          fmt::format("expected claim, network, passes or sound, found '{}'", kind.substr(0, 40)));
    }
  }
  if (profile.results.empty()) return BadLine(file, number, "no results");
  LITERT_RETURN_IF_ERROR(ExpectSame(file, "claims", profile.claims, claims));
  LITERT_RETURN_IF_ERROR(ExpectSame(file, "networks", profile.networks, networks));
  profile.digest = DigestOfAll(profile, profile.results);
  return {};
}

litert::Expected<Profile> LoadProfile(const std::string& path) {
  LITERT_ASSIGN_OR_RETURN(const Value value, ParseValueFile(path));
  LITERT_ASSIGN_OR_RETURN(Profile profile, ReadProfile(value));
  const std::string frozen = FrozenPath(profile, path);
  const auto text = ReadTextFile(frozen);
  if (!text) {
    return SpecError(
        profile.at,
        fmt::format("{} has no list of results, {}: npukit-conform freeze {} writes it",
                    profile.title(), frozen, std::filesystem::path(path).parent_path().string()));
  }
  LITERT_RETURN_IF_ERROR(ReadFrozen(*text, frozen, profile));
  return profile;
}

std::string ProfileDigest(const Profile& profile, const std::vector<Suite>& suites) {
  return DigestOfAll(profile, ResultsNow(profile, suites));
}

std::vector<std::string> ChangedResults(const Profile& profile, const std::vector<Suite>& suites) {
  const Results now = ResultsNow(profile, suites);
  std::vector<std::string> changed;
  for (const auto& [name, result] : profile.results) {
    const auto found = now.find(name);
    if (found == now.end() || found->second.contents != result.contents) changed.push_back(name);
  }
  return changed;
}

}  // namespace npukit::conformance
