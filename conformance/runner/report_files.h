// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reports as files, and what the end of a run tells the caller.

#ifndef NPUKIT_CONFORMANCE_RUNNER_REPORT_FILES_H_
#define NPUKIT_CONFORMANCE_RUNNER_REPORT_FILES_H_

#include <string>
#include <vector>

#include "conformance/report/json_report.h"
#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// SHA-256 of the contents in hexadecimal digits; empty if the file can't be read.
std::string FileDigest(const std::string& path);

// results.json, or that of the folder.
litert::Expected<RunRecord> LoadResults(const std::string& path);

// Removes an older run's reports from `folder`: a run that is killed leaves no verdict of another.
// Small forms of failures stay: this run may be of one of them.
litert::Expected<void> RemoveReports(const std::string& folder);

// results.json, junit.xml and index.html in `folder`, which is made if need be. Each appears whole,
// results.json last.
litert::Expected<void> WriteReports(const std::string& folder, const RunInfo& info,
                                    const std::vector<CaseResult>& results);

// "npukit conform: MESSAGE" on standard error; gives `code`.
int ReportError(int code, const std::string& message);

// Writes the reports to `report_dir` unless it is empty, prints results.json or the summary, and
// gives the exit code: of a whole run that asks a profile, whether it shows that.
int FinishRun(const std::string& report_dir, bool json, const RunInfo& info,
              const std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_REPORT_FILES_H_
