// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a report says beside the results.

#ifndef NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_
#define NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

namespace npukit::conformance {

struct RunInfo {
  std::string kit_version;
  std::string manufacturer;
  std::string plugin;    // path
  std::string dispatch;  // path
  std::string claims;    // path; empty: none
  std::vector<std::string> suites;
  std::string filter;
  int shard_index = 0;
  int shard_count = 1;
  uint64_t seed = 0;
  double seconds = 0;
  bool interrupted = false;
  std::string command;  // that reproduces one result, without the --filter
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_RUN_INFO_H_
