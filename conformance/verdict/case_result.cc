// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/verdict/case_result.h"

#include <iterator>

#include "conformance/observation/check_report.h"

namespace npukit::conformance {
namespace {

constexpr std::pair<Result, std::string_view> kResults[] = {
    {Result::kPassed, "passed"},   {Result::kFailed, "failed"},
    {Result::kSkipped, "skipped"}, {Result::kExpectedFailure, "expected_failure"},
    {Result::kWaived, "waived"},   {Result::kNotRun, "not_run"},
};
constexpr std::pair<Cause, std::string_view> kCauses[] = {
    {Cause::kNone, "none"},
    {Cause::kCheck, "check"},
    {Cause::kCrash, "crash"},
    {Cause::kHang, "hang"},
    {Cause::kExit, "exit"},
    {Cause::kForged, "forged"},
    {Cause::kMemory, "memory"},
    {Cause::kOutput, "output"},
    {Cause::kSurprisePass, "surprise_pass"},
    {Cause::kDeviceLost, "device_lost"},
    {Cause::kUnknown, "unknown"},
};
// None is forgotten: these are the last enumerators.
static_assert(std::size(kResults) == static_cast<size_t>(Result::kNotRun) + 1);
static_assert(std::size(kCauses) == static_cast<size_t>(Cause::kUnknown) + 1);

template <typename Enum, size_t kCount>
std::string_view NameOf(const std::pair<Enum, std::string_view> (&names)[kCount], Enum wanted) {
  for (const auto& [value, name] : names) {
    if (value == wanted) return name;
  }
  return "?";
}

template <typename Enum, size_t kCount>
std::optional<Enum> FromName(const std::pair<Enum, std::string_view> (&names)[kCount],
                             std::string_view wanted) {
  for (const auto& [value, name] : names) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view ResultName(Result result) { return NameOf(kResults, result); }
std::optional<Result> ResultFromName(std::string_view name) { return FromName(kResults, name); }

std::string_view CauseName(Cause cause) { return NameOf(kCauses, cause); }
std::optional<Cause> CauseFromName(std::string_view name) { return FromName(kCauses, name); }

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
