// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The result of one check of one case, and of a whole run.

#ifndef NPUKIT_CONFORMANCE_VERDICT_CASE_RESULT_H_
#define NPUKIT_CONFORMANCE_VERDICT_CASE_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npukit::conformance {

enum class Result { kPassed, kFailed, kSkipped, kExpectedFailure, kWaived, kNotRun };
// "passed", "failed", "skipped", "expected_failure", "waived", "not_run": the spelling of
// results.json.
std::string_view ResultName(Result result);
std::optional<Result> ResultFromName(std::string_view name);

// Why a result is not a pass. Failures are grouped by it.
enum class Cause {
  kNone,
  kCheck,         // the check came to its end and says no
  kCrash,         // a signal
  kHang,          // no answer in time
  kExit,          // somebody called exit() or _exit()
  kForged,        // somebody wrote into the worker's report
  kMemory,        // more memory than allowed
  kOutput,        // more output than allowed
  kSurprisePass,  // was expected to fail
  kDeviceLost,    // the connection to the device ended, twice
  kUnknown,       // no report that can be read, or a cause of another version of the kit
};
std::string_view CauseName(Cause cause);  // "check", "crash", "hang", ...
std::optional<Cause> CauseFromName(std::string_view name);

struct CaseResult {
  std::string name;  // "core/add_f32_4/numerics.oracle"
  std::string suite;
  std::string check;  // "numerics.oracle"
  std::string klass;  // "numerics"
  Result result = Result::kNotRun;
  Cause cause = Cause::kNone;
  std::string detail;  // one line or a few; never empty for a failure or a skip
  // Failures of one group have one cause: "SIGSEGV in LiteRtCompilerPluginCompile".
  std::string group;
  std::string stage;  // what was going on at a crash or hang
  std::string stack;
  std::string output;  // tail of what was written, of failures only
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::string> exercised;  // claims whose values were computed within the bounds
  // Claims whose values the check was to judge, where it did not pass.
  std::vector<std::string> asked;
  // Of such a check, ops that are claimed, but not as they stand here: "ADD: rank 5 is above max_rank 4".
  std::vector<std::string> outside_claims;
};

// One of the result's numbers.
std::optional<double> NumberOf(const CaseResult& result, std::string_view name);

struct Summary {
  size_t passed = 0;
  size_t failed = 0;
  size_t skipped = 0;
  size_t expected_failures = 0;
  size_t waived = 0;
  size_t not_run = 0;
  size_t rounded_once = 0;  // of those that passed, with elements that TFLite rounds otherwise
  size_t total() const { return passed + failed + skipped + expected_failures + waived + not_run; }
};
Summary Summarize(const std::vector<CaseResult>& results);

// "conformant": nothing failed, everything ran, something passed. "incomplete":
// interrupted before anything failed. "nothing judged": all was skipped. "not conformant": otherwise.
std::string_view Verdict(const Summary& summary);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_CASE_RESULT_H_
