// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The function behind each line of checks.def. They run in a worker; whatever they do there cannot
// hurt the run.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_CHECK_FUNCTIONS_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_CHECK_FUNCTIONS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/observation/check_report.h"
#include "conformance/runner/checks/workbench.h"
#include "conformance/spec/suite/check.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// An error is a failure whose detail is its message.
using CheckAnswer = litert::Expected<CheckReport>;

// namespace checks::abi { CheckAnswer exports(Workbench&); ... }
#define CHECK(klass, name, needs, asks) \
  namespace checks::klass {             \
  CheckAnswer name(Workbench& bench);   \
  }
#include "conformance/spec/suite/checks.def"

// A check of a case.
struct AskedCheck {
  const CheckInfo* check = nullptr;
  const CaseSpec* spec = nullptr;
};

// In a worker: checks one after the other. What was seen in each, serialized, in order. The libraries
// stay loaded from one check of a case to the next; another case loads them anew.
std::vector<std::string> Observe(std::span<const AskedCheck> asked,
                                 const PluginUnderTest& under_test);

// Skips where the check's needs are not met, runs it, turns errors into failures.
CheckReport RunCheck(const CheckInfo& check, const PluginUnderTest& under_test,
                     const CaseSpec& spec);

// The verdict over what a worker saw while it ran the check; `seen` is serialized evidence. Runs in a
// process that loads no vendor code.
CheckReport JudgeObserved(const CheckInfo& check, const PluginUnderTest& under_test,
                          const CaseSpec& spec, std::string_view observed);

// For checks: leaves with a failure unless `condition` holds.
#define NPUKIT_CHECK_THAT(condition, ...)                                           \
  do {                                                                              \
    if (!(condition)) return ::npukit::conformance::CheckReport::Fail(__VA_ARGS__); \
  } while (false)

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_CHECK_FUNCTIONS_H_
