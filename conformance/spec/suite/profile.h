// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Profiles: named, versioned bundles of what a plugin must take and get right, so that a verdict
// can say "conformant to int8-vision 1.0". A YAML file each; docs/conformance.md describes the
// format.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_

#include <string>
#include <utility>
#include <vector>

#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/text/value.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Profile {
  std::string name;
  std::string version;  // "1.0"
  std::string description;
  // What the vendor must claim, as claims are named: "CONV_2D int8", "QUANTIZE float32->int8".
  std::vector<std::string> claims;
  // Results that must pass, by their whole names; one that is skipped, because a limit of the
  // claims leaves its case out, does not.
  std::vector<NamePattern> passes;
  // Built-in networks that must run on the NPU whole.
  std::vector<std::string> networks;
  // Suites in which nothing may fail, whatever is skipped there.
  std::vector<std::string> sound_suites;
  // By version, what profile_digest.h gives of it: the one at hand and those before.
  std::vector<std::pair<std::string, std::string>> digests;
  SourceLocation at;

  // Of the version at hand; empty if the file has none.
  std::string recorded_digest() const;
  std::string title() const { return name + " " + version; }  // "int8-vision 1.0"
  // Of a result: it must pass.
  bool MustPass(const std::string& result_name) const;
  // Of a result: it must not fail. True for all that MustPass.
  bool MustNotFail(const std::string& result_name) const;
};

litert::Expected<Profile> ReadProfile(const Value& value);
litert::Expected<Profile> LoadProfile(const std::string& path);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_H_
