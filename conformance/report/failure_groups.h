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

// The command that runs this result alone, ready for a shell.
std::string CommandFor(const RunInfo& info, const CaseResult& result);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_FAILURE_GROUPS_H_
