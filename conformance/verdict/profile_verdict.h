// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a run shows that a plugin conforms to a profile.

#ifndef NPUKIT_CONFORMANCE_VERDICT_PROFILE_VERDICT_H_
#define NPUKIT_CONFORMANCE_VERDICT_PROFILE_VERDICT_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/spec/suite/profile.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

struct ProfileVerdict {
  enum class State {
    kConformant,
    kNotConformant,
    kNotJudged,  // the run left out some of what the profile asks
  };
  std::string name;
  std::string version;
  std::string digest;  // of what was asked; frozen_profile.h
  State state = State::kNotJudged;
  size_t asked = 0;                  // results that the profile is judged by, in a whole run
  size_t present = 0;                // of these, results that this run has
  size_t passed = 0;                 // of these, results that passed
  size_t waived = 0;                 // of these, failures that a waiver is granted for
  std::vector<std::string> reasons;  // unless conformant; the first few

  std::string title() const { return name + " " + version; }
};
std::string_view ProfileStateName(ProfileVerdict::State state);  // "conformant", ...

// What a profile asks of a whole run.
struct ProfileAsks {
  size_t results = 0;  // that it is judged by
  std::string digest;  // of their contents and its rules
};

// `claimed` are the vendor's claims ("ADD int8"). A missing claim or a failure decides even where
// the run was not whole. Never conformant if what was asked is not what this version stands for.
ProfileVerdict JudgeProfile(const Profile& profile, const std::set<std::string>& claimed,
                            const std::vector<CaseResult>& results, const ProfileAsks& asks);

// "conformant to int8-vision 1.0, float-elementwise 1.0"; empty if to none.
std::string ConformantTo(const std::vector<ProfileVerdict>& profiles);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_PROFILE_VERDICT_H_
