// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/plan/plan.h"

#include <string>

namespace npukit::conformance {

std::vector<PlannedCheck> MakePlan(const std::vector<Suite>& suites,
                                   const std::optional<NamePattern>& filter) {
  std::vector<PlannedCheck> plan;
  for (const Suite& suite : suites) {
    for (const CaseSpec& spec : suite.cases) {
      for (const CheckInfo* check : spec.checks) {
        const std::string name = spec.full_name() + "/" + std::string(check->id);
        if (filter && !filter->IsFoundIn(name)) continue;
        plan.push_back({.id = {.suite = suite.name, .name = name, .check = check}, .spec = &spec});
      }
    }
  }
  return plan;
}

}  // namespace npukit::conformance
