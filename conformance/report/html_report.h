// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// index.html: one page that needs nothing else, neither files nor network.

#ifndef NPUKIT_CONFORMANCE_REPORT_HTML_REPORT_H_
#define NPUKIT_CONFORMANCE_REPORT_HTML_REPORT_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Verdict, failures grouped by cause with the command to see each again, the claims' coverage by
// operator and type, the worst errors against their bounds, all results. Text of the vendor's is
// escaped.
std::string HtmlReport(const RunInfo& info, const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_HTML_REPORT_H_
