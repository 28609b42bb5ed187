// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a report says beside the results.

#ifndef NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_
#define NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/verdict/changes.h"
#include "conformance/verdict/claim_coverage.h"
#include "conformance/verdict/profile_verdict.h"

namespace npukit::conformance {

// The number under "schema" in results.json.
inline constexpr int kResultsSchema = 1;

struct RunInfo {
  std::string kit_version;
  std::string manufacturer;
  std::string plugin;    // path
  std::string dispatch;  // path
  std::string claims;    // path; empty: none
  std::vector<std::string> suites;
  std::vector<std::string> specs;  // compile specs, "KEY=VALUE"
  std::string filter;
  std::string profile;   // the one asked for by name; empty: none
  std::string waivers;   // path; empty: none
  std::string baseline;  // path; empty: none
  int shard_index = 0;
  int shard_count = 1;
  uint64_t seed = 0;
  double seconds = 0;
  bool interrupted = false;
  // What did not keep vendor code from the processes that judge it, a sentence each. Empty: nothing.
  std::vector<std::string> isolation_gaps;
  std::string command;  // that reproduces one result, without the --filter

  // SHA-256 of the contents: two runs with the same digests judged the same files. Empty: no such file.
  std::string plugin_digest;
  std::string dispatch_digest;
  std::string claims_digest;
  std::string suites_digest;
  std::string waivers_digest;
  std::string baseline_digest;
  // Of this program and of libLiteRt.so, where observations are kept.
  std::string kit_digest;
  std::string host_digest;

  ClaimSummary claim_summary;
  std::map<std::string, ProfileAsks> profile_asks;  // by "name version"
  std::vector<ProfileVerdict> profiles;

  std::string compared_with;  // path of older results; empty: none
  std::vector<Change> changes;
  // Where the shrunk form of a failure was written, by result name.
  std::map<std::string, std::string> reproductions;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_
