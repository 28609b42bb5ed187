// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/profile_verdict.h"

#include <fmt/format.h>
#include <algorithm>

#include "conformance/observation/check_report.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxReasons = 10;

// Why a result that must pass speaks against the plugin; empty if it does not.
std::string Objection(const Profile& profile, const CaseResult& result) {
  const std::string what = result.name + ": ";
  switch (result.result) {
    case Result::kFailed:
    case Result::kExpectedFailure:
      return what + result.detail;
    case Result::kSkipped:
      return profile.MustPass(result.name) ? what + "not done: " + result.detail : std::string();
    case Result::kWaived:
    case Result::kNotRun:
      return {};
    case Result::kPassed:
      break;
  }
  if (!profile.MustPass(result.name)) return {};
  for (const auto& [name, value] : result.numbers) {
    const auto count = static_cast<long long>(value);
    if (name == "cpu_ops" && result.check == "model.placement" && count > 0)
      return fmt::format("{}{} ops stay on the CPU", what, count);
    if (name == kUnjudgedElems && count > 0)
      return fmt::format("{}{} elements were not judged", what, count);
  }
  return {};
}

}  // namespace

std::string_view ProfileStateName(ProfileVerdict::State state) {
  switch (state) {
    case ProfileVerdict::State::kConformant:
      return "conformant";
    case ProfileVerdict::State::kNotConformant:
      return "not conformant";
    case ProfileVerdict::State::kNotJudged:
      return "not judged";
  }
  return "?";
}

ProfileVerdict JudgeProfile(const Profile& profile, const std::set<std::string>& claimed,
                            const std::vector<CaseResult>& results, const ProfileAsks& asks) {
  const size_t asked = asks.results;
  ProfileVerdict verdict{
      .name = profile.name, .version = profile.version, .digest = asks.digest, .asked = asked};
  size_t objections = 0;
  auto object = [&](std::string reason) {
    if (++objections <= kMaxReasons) verdict.reasons.push_back(std::move(reason));
  };
  for (const std::string& claim : profile.claims) {
    if (!claimed.contains(claim)) object(claim + " is not claimed");
  }
  std::set<std::string_view> observed;  // a result that stands twice is one
  for (const CaseResult& result : results) {
    if (!profile.MustNotFail(result.name) || !observed.insert(result.name).second) continue;
    verdict.present += result.result != Result::kNotRun;
    verdict.passed += result.result == Result::kPassed;
    verdict.waived += result.result == Result::kWaived;
    if (std::string why = Objection(profile, result); !why.empty()) object(std::move(why));
  }
  if (objections > kMaxReasons)
    verdict.reasons.push_back(fmt::format("and {} more", objections - kMaxReasons));
  // In this order: of other questions than the profile's no answer counts; an objection decides
  // although not all was run; the rest needs all.
  if (asks.digest != profile.digest) {
    verdict.reasons.push_back("what it asks was changed: its digest is " + asks.digest + ", " +
                              profile.version + " stands for " + profile.digest);
  } else if (objections > 0) {
    verdict.state = ProfileVerdict::State::kNotConformant;
  } else if (verdict.present < asked || verdict.passed == 0) {
    verdict.reasons.push_back(fmt::format("{} of {} results were run", verdict.present, asked));
  } else {
    verdict.state = ProfileVerdict::State::kConformant;
  }
  return verdict;
}

std::string ConformantTo(const std::vector<ProfileVerdict>& profiles) {
  std::string text;
  for (const ProfileVerdict& profile : profiles) {
    if (profile.state != ProfileVerdict::State::kConformant) continue;
    text += (text.empty() ? "conformant to " : ", ") + profile.title();
  }
  return text;
}

}  // namespace npukit::conformance
