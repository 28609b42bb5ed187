// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a profile asks, as one number: its own rules, and the name and contents of every result that
// they choose from the suites. A version of a profile stands for one digest.

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_DIGEST_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_DIGEST_H_

#include <string>
#include <vector>

#include "conformance/spec/suite/profile.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {

// Sixteen hexadecimal digits. The order of suites and cases does not count.
std::string ProfileDigest(const Profile& profile, const std::vector<Suite>& suites);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_PROFILE_DIGEST_H_
