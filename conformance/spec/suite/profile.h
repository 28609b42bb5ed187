// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles: named, versioned bundles of what a plugin must take and get right, so that a verdict
// can say "conformant to int8-vision 1.0". A YAML file each; docs/conformance.md describes the
// format.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_

#include <map>
#include <string>
#include <vector>

#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// What a version asks of one result.
struct ProfileResult {
  bool must_pass = false;  // else it must not fail, and may be skipped
  std::string contents;    // digest of the case
};

struct Profile {
  std::string name;
  std::string version;  // "1.0"
  std::string description;
  // What the vendor must claim, as claims are named: "CONV_2D int8", "QUANTIZE float32->int8".
  std::vector<std::string> claims;

  // Rules, by which a new version's results are chosen.
  // Results that must pass, by their whole names; one that is skipped, because a limit of the
  // claims leaves its case out, does not.
  std::vector<NamePattern> passes;
  // Built-in networks that must run on the NPU whole.
  std::vector<std::string> networks;
  // Suites in which nothing may fail, whatever is skipped there.
  std::vector<std::string> sound_suites;

  // What this version asks, by the results' whole names: frozen_profile.h. Empty until it is read.
  std::map<std::string, ProfileResult> results;
  std::string digest;  // of it

  SourceLocation at;

  std::string title() const { return name + " " + version; }  // "int8-vision 1.0"
  // Of a result, by the version's list: it must pass.
  bool MustPass(const std::string& result_name) const;
  // It must not fail. True for all that MustPass.
  bool MustNotFail(const std::string& result_name) const;
  // Of a result, by the rules.
  bool ChoosesToPass(const std::string& result_name) const;
  bool ChoosesSound(const std::string& result_name) const;
};

// The rules, without the list of results.
litert::Expected<Profile> ReadProfile(const Value& value);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_
