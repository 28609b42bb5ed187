// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// results.json. Its schema stands in docs/conformance.md.

#ifndef NPUKIT_CONFORMANCE_REPORT_JSON_REPORT_H_
#define NPUKIT_CONFORMANCE_REPORT_JSON_REPORT_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/verdict/case_result.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// UTF-8, ends with a newline; bytes that are no UTF-8 are replaced.
std::string JsonReport(const RunInfo& info, const std::vector<CaseResult>& results);

// A run read back.
struct RunRecord {
  RunInfo info;
  std::vector<CaseResult> results;
};
// What JsonReport wrote; `file` appears in messages only. The text is not trusted: errors are
// InvalidArgument and name the field.
litert::Expected<RunRecord> ReadJsonReport(const std::string& text, const std::string& file);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_REPORT_JSON_REPORT_H_
