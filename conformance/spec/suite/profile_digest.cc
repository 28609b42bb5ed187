// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/spec/suite/profile_digest.h"

#include <algorithm>

#include "conformance/spec/suite/case_text.h"
#include "conformance/spec/text/text_hash.h"

namespace npukit::conformance {

std::string ProfileDigest(const Profile& profile, const std::vector<Suite>& suites) {
  std::vector<std::string> lines;
  for (const std::string& claim : profile.claims) lines.push_back("claim " + claim);
  for (const std::string& network : profile.networks) lines.push_back("network " + network);
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      std::string contents;  // made once, and only of cases that count
      for (const CheckInfo* check : spec.checks) {
        const std::string name = spec.full_name() + "/" + std::string(check->id);
        const bool must_pass = profile.MustPass(name);
        if (!must_pass && !profile.MustNotFail(name)) continue;
        if (contents.empty()) contents = DigestOf(CaseText(spec));
        lines.push_back((must_pass ? "passes " : "sound ") + name + " " + contents);
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return DigestOf(text);
}

}  // namespace npukit::conformance
