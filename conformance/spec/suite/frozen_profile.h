// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a version of a profile asks, as a list that does not change with the kit: every result by
// name, with a digest of its case's contents. The rules of a profile choose the list once, when the
// version is frozen; checks and cases that the kit gains later belong to the next version.
//
// One line for the results that one case has in common; claims and networks come first:
//
//   claim ADD int8
//   network autoencoder_int8
//   passes core/ADD_int8_4 0123456789abcdef numerics.oracle
//   sound abi/compiler 0123456789abcdef abi.exports abi.version

#ifndef NPUKIT_CONFORMANCE_SPEC_SUITE_FROZEN_PROFILE_H_
#define NPUKIT_CONFORMANCE_SPEC_SUITE_FROZEN_PROFILE_H_

#include <string>
#include <vector>

#include "conformance/spec/suite/profile.h"
#include "conformance/spec/suite/suite.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// The list that the profile's rules choose from the suites.
std::string FreezeProfile(const Profile& profile, const std::vector<Suite>& suites);

// Where the list of the profile in the file `profile_path` lies: beside it, NAME-VERSION.txt.
std::string FrozenPath(const Profile& profile, const std::string& profile_path);

// Fills profile.results and profile.digest. Errors begin with "file:line: ".
litert::Expected<void> ReadFrozen(const std::string& text, const std::string& file,
                                  Profile& profile);

// The profile in a file, with the list of its version.
litert::Expected<Profile> LoadProfile(const std::string& path);

// Of the claims, networks and results that profile.results names, with the contents that they have
// in these suites: sixteen hexadecimal digits, equal to profile.digest unless something was changed.
// The order of suites and cases does not count.
std::string ProfileDigest(const Profile& profile, const std::vector<Suite>& suites);

// Results of the list that are not in the suites any more or have other contents there, by name.
std::vector<std::string> ChangedResults(const Profile& profile, const std::vector<Suite>& suites);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_SUITE_FROZEN_PROFILE_H_
