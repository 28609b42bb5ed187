// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Failures by cause, for the reports that people read.

#ifndef NPUKIT_CONFORMANCE_REPORT_FAILURE_GROUPS_H_
#define NPUKIT_CONFORMANCE_REPORT_FAILURE_GROUPS_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

struct FailureGroup {
  std::string title;
  std::vector<const CaseResult*> results;  // into the results given
};

// Largest group first; groups of one size, and results within a group, in the order of the run.
std::vector<FailureGroup> GroupFailures(const std::vector<CaseResult>& results);

// A failure's text without what differs from size to size: numbers, names of patterns and what is
// quoted.
std::string FailureKind(const CaseResult& result);

// The command that gives this result again, ready for a shell: this one alone where it is a check's.
std::string CommandFor(const RunInfo& info, const CaseResult& result);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_FAILURE_GROUPS_H_
