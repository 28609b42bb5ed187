// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/report/failure_groups.h"

#include <algorithm>
#include <map>

namespace npukit::conformance {

std::vector<FailureGroup> GroupFailures(const std::vector<CaseResult>& results) {
  std::vector<FailureGroup> groups;
  std::map<std::string, size_t> index;
  for (const CaseResult& result : results) {
    if (result.result != Result::kFailed) continue;
    const auto [entry, inserted] = index.emplace(result.group, groups.size());
    if (inserted) groups.push_back({result.group, {}});
    groups[entry->second].results.push_back(&result);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) {
    return a.results.size() > b.results.size();
  });
  return groups;
}

std::string CommandFor(const RunInfo& info, const CaseResult& result) {
  return info.command + " --filter '^" + result.name + "$'";
}

}  // namespace npukit::conformance
