// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The parts of index.html that show numbers.

#ifndef NPUKIT_CONFORMANCE_REPORT_HTML_CHARTS_H_
#define NPUKIT_CONFORMANCE_REPORT_HTML_CHARTS_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Each gives a section, or nothing where there is nothing to show.

// Operator by type: how many results computed an op of each claim, and claims that none did.
std::string CoverageSection(const RunInfo& info, const std::vector<CaseResult>& results);

// A row of dots for each claim: every result's largest error as a part of its bound. Then the
// largest of all, with where they are.
std::string ErrorSection(const std::vector<CaseResult>& results);

// Cycles of each case of the class performance and of each whose cycles changed, beside the recorded
// ones where there is a baseline.
std::string CycleSection(const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_HTML_CHARTS_H_
