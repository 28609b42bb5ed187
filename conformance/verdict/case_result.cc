// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/case_result.h"

#include "conformance/observation/check_report.h"

namespace npukit::conformance {

std::string_view ResultName(Result result) {
  switch (result) {
    case Result::kPassed:
      return "passed";
    case Result::kFailed:
      return "failed";
    case Result::kSkipped:
      return "skipped";
    case Result::kExpectedFailure:
      return "expected_failure";
    case Result::kWaived:
      return "waived";
    case Result::kNotRun:
      return "not_run";
  }
  return "?";
}

std::string_view CauseName(Cause cause) {
  switch (cause) {
    case Cause::kNone:
      return "none";
    case Cause::kCheck:
      return "check";
    case Cause::kCrash:
      return "crash";
    case Cause::kHang:
      return "hang";
    case Cause::kExit:
      return "exit";
    case Cause::kForged:
      return "forged";
    case Cause::kMemory:
      return "memory";
    case Cause::kOutput:
      return "output";
    case Cause::kSurprisePass:
      return "surprise_pass";
    case Cause::kDeviceLost:
      return "device_lost";
    case Cause::kUnknown:
      return "unknown";
  }
  return "?";
}

std::optional<Result> ResultFromName(std::string_view name) {
  for (Result result : {Result::kPassed, Result::kFailed, Result::kSkipped,
                        Result::kExpectedFailure, Result::kWaived, Result::kNotRun}) {
    if (ResultName(result) == name) return result;
  }
  return std::nullopt;
}

std::optional<Cause> CauseFromName(std::string_view name) {
  for (Cause cause : {Cause::kNone, Cause::kCheck, Cause::kCrash, Cause::kHang, Cause::kExit,
                      Cause::kForged, Cause::kMemory, Cause::kOutput, Cause::kSurprisePass,
                      Cause::kDeviceLost, Cause::kUnknown}) {
    if (CauseName(cause) == name) return cause;
  }
  return std::nullopt;
}

std::optional<double> NumberOf(const CaseResult& result, std::string_view wanted) {
  for (const auto& [name, value] : result.numbers) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

Summary Summarize(const std::vector<CaseResult>& results) {
  Summary summary;
  for (const CaseResult& result : results) {
    switch (result.result) {
      case Result::kPassed:
        ++summary.passed;
        summary.rounded_once += NumberOf(result, kRoundedOnce) ? 1 : 0;
        break;
      case Result::kFailed:
        ++summary.failed;
        break;
      case Result::kSkipped:
        ++summary.skipped;
        break;
      case Result::kExpectedFailure:
        ++summary.expected_failures;
        break;
      case Result::kWaived:
        ++summary.waived;
        break;
      case Result::kNotRun:
        ++summary.not_run;
        break;
    }
  }
  return summary;
}

std::string_view Verdict(const Summary& summary) {
  if (summary.failed > 0) return "not conformant";
  if (summary.not_run > 0) return "incomplete";
  if (summary.passed > 0) return "conformant";
  return summary.expected_failures + summary.waived > 0 ? "not conformant" : "nothing judged";
}

}  // namespace npukit::conformance
