// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a check says when it got to the end. It crosses from the worker to the runner as text.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_CHECK_REPORT_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_CHECK_REPORT_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npukit::conformance {

// Of CheckReport::numbers: elements that are right by a claim of `rounding: once` alone.
inline constexpr char kRoundedOnce[] = "rounded_once_elems";
// Of a result that passed, elements that nothing could be said of; no profile is reached by it.
inline constexpr char kUnjudgedElems[] = "unjudged_elems";

struct CheckReport {
  // kForged: what was judged is not what a worker can have seen.
  enum class Answer { kPass, kFail, kSkip, kForged };
  Answer answer = Answer::kPass;
  std::string detail;  // why it failed or was skipped; may add to a pass
  // "worst_bound_use": 0.4, "cycles": 1234: what reports show beside the verdict.
  std::vector<std::pair<std::string, double>> numbers;
  // Claims that the check exercised: "ADD float32".
  std::vector<std::string> exercised;

  static CheckReport Pass(std::string detail = {}) {
    return {Answer::kPass, std::move(detail), {}, {}};
  }
  static CheckReport Fail(std::string detail) { return {Answer::kFail, std::move(detail), {}, {}}; }
  static CheckReport Forged(std::string detail) {
    return {Answer::kForged, std::move(detail), {}, {}};
  }
  static CheckReport Skip(std::string detail) { return {Answer::kSkip, std::move(detail), {}, {}}; }
};

std::string SerializeReport(const CheckReport& report);
// nullopt if the text is no report.
std::optional<CheckReport> ParseReport(std::string_view text);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_CHECK_REPORT_H_
