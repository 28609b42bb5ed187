// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Suites by name.

#ifndef NPUKIT_CONFORMANCE_RUNNER_SUITE_SEARCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_SUITE_SEARCH_H_

#include <string>
#include <vector>

#include "conformance/spec/claims/claims.h"
#include "conformance/spec/suite/profile.h"
#include "conformance/spec/suite/suite.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// share/npukit/suites beside the folder of the running program: so it lies in an installation and
// in a build tree.
std::string SuiteFolder();

// Names of the suites there, sorted.
std::vector<std::string> SuiteNames(const std::string& folder);

// Suites that a run without --suite consists of: all but smoke, whose cases are among the others'.
std::vector<std::string> DefaultSuiteNames(const std::string& folder);

// These, from the installed suites. An error if there are none.
litert::Expected<std::vector<Suite>> LoadDefaultSuites();

// By name, or by path if there is a '/' in it or it ends in ".yaml". NotFound lists the known
// names.
litert::Expected<Suite> FindSuite(const std::string& folder, const std::string& name_or_path);

// share/npukit/profiles, in the same place, and the profiles there, by name. A name that stands
// twice is an error.
std::string ProfileFolder();
litert::Expected<std::vector<Profile>> LoadProfiles(const std::string& folder);

// Of the profiles that claims promise: each must be one of those.
litert::Expected<void> CheckProfiles(const Claims& claims);
// LoadClaims() with that check.
litert::Expected<Claims> LoadCheckedClaims(const std::string& path);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_SUITE_SEARCH_H_
