// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which claims a case was to compute that did not pass. A check says what it computed; one that crashed says nothing.

#ifndef NPUKIT_CONFORMANCE_RUNNER_ASKED_CLAIMS_H_
#define NPUKIT_CONFORMANCE_RUNNER_ASKED_CLAIMS_H_

#include <vector>

#include "conformance/runner/run.h"
#include "conformance/runner/vendor/subject.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Fills CaseResult::asked and outside_claims of failed and skipped results about values. `results` are the plan's, in its
// order; there may be fewer, of a run that was stopped. No vendor code runs.
void NoteAskedClaims(const std::vector<PlannedCheck>& plan, const Subject& subject,
                     std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_ASKED_CLAIMS_H_
