// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a person reads at the end of a run: failures grouped by cause, then the verdict.

#ifndef NPUKIT_CONFORMANCE_REPORT_TERMINAL_REPORT_H_
#define NPUKIT_CONFORMANCE_REPORT_TERMINAL_REPORT_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

std::string TerminalReport(const RunInfo& info, const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_TERMINAL_REPORT_H_
