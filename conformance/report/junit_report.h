// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// junit.xml, as CI systems read it: a testsuite per suite, a testcase per result.

#ifndef NPUKIT_CONFORMANCE_REPORT_JUNIT_REPORT_H_
#define NPUKIT_CONFORMANCE_REPORT_JUNIT_REPORT_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Failures by signal, hang or exit are <error>, those of a check <failure>; expected failures and
// results not run are <skipped>.
std::string JunitReport(const RunInfo& info, const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_JUNIT_REPORT_H_
