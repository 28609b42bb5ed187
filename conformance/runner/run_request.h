// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a command line of `npukit-conform` asks for, read and found: suites, profiles, cases.

#ifndef NPUKIT_CONFORMANCE_RUNNER_RUN_REQUEST_H_
#define NPUKIT_CONFORMANCE_RUNNER_RUN_REQUEST_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/command_line.h"
#include "conformance/runner/run.h"
#include "conformance/runner/shard.h"
#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/suite/profile.h"
#include "conformance/verdict/profile_verdict.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct RunRequest {
  std::vector<Suite> suites;
  std::optional<NamePattern> filter;
  std::vector<Profile> profiles;  // that the run can be judged by
  Shard shard;
  std::map<std::string, ProfileAsks> profile_asks;  // of the whole run
  std::vector<PlannedCheck> plan;                   // points into the suites
};

// All but the plan, which depends on the plugin's claims.
litert::Expected<std::unique_ptr<RunRequest>> ReadRequest(const ConformArguments& arguments);

// Of the suites' files: two installations with the same ask the same.
std::string SuitesDigest(const std::vector<Suite>& suites);

// Whether the suite that follows from the claims is asked for by its name.
bool AsksForClaimedSuite(const ConformArguments& arguments);

// The suite that follows from the claims, where it is asked for: by name, or with all others.
litert::Expected<void> AddClaimedSuite(const ConformArguments& arguments,
                                       const PluginUnderTest& under_test,
                                       std::vector<Suite>& suites);

// The request's plan, from its suites as they are now. An error if it is empty.
litert::Expected<void> MakePlan(const ConformArguments& arguments, RunRequest& request);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_RUN_REQUEST_H_
