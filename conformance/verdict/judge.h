// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From how a worker ended, and what the vendor expects to fail, to a result.

#ifndef NPUKIT_CONFORMANCE_VERDICT_JUDGE_H_
#define NPUKIT_CONFORMANCE_VERDICT_JUDGE_H_

#include <string>

#include "conformance/observation/child_outcome.h"
#include "conformance/spec/claims/claims.h"
#include "conformance/spec/claims/waivers.h"
#include "conformance/spec/suite/check.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Which check of which case.
struct ResultId {
  std::string suite;
  std::string name;  // "suite/case/class.check"
  const CheckInfo* check = nullptr;
};

// `claims` may be null. An expected failure that fails counts as expected, whatever way it failed;
// one that passes is a failure ("surprise pass"); a skipped one stays skipped.
void MeetExpectation(const Claims* claims, CaseResult& result);

// A failure that a waiver is granted for is waived; one that is forged never is. `waivers` may be null.
void MeetWaivers(const Waivers* waivers, CaseResult& result);

// Meets what `claims` expect.
CaseResult Judge(const ResultId& id, const ChildOutcome& outcome, const Claims* claims);

// For what was never started.
CaseResult NotRun(const ResultId& id);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_VERDICT_JUDGE_H_
