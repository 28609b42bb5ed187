// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run is to ask: checks of cases, in order.

#ifndef NPUKIT_CONFORMANCE_RUNNER_PLAN_PLAN_H_
#define NPUKIT_CONFORMANCE_RUNNER_PLAN_PLAN_H_

#include <optional>
#include <vector>

#include "conformance/spec/claims/name_pattern.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/verdict/judge.h"

namespace npukit::conformance {

// One check of one case. The case belongs to the suites that the plan was made of.
struct PlannedCheck {
  ResultId id;
  const CaseSpec* spec = nullptr;
};

// In suite order. With a filter those whose name it is found in.
std::vector<PlannedCheck> MakePlan(const std::vector<Suite>& suites,
                                   const std::optional<NamePattern>& filter);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_PLAN_PLAN_H_
