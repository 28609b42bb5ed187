// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which claims a case was to compute that did not pass. A check says what it computed; one that crashed
// says nothing.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CLAIMS_ASKED_CLAIMS_H_
#define NPUKIT_CONFORMANCE_RUNNER_CLAIMS_ASKED_CLAIMS_H_

#include <vector>

#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/suite/suite.h"
#include "conformance/verdict/case_result.h"

namespace npukit::conformance {

// Fills CaseResult::asked and outside_claims of failed and skipped results about values. `specs` are the
// cases of a plan's results, in its order; there may be fewer, of a run that was stopped. No vendor code
// runs.
void NoteAskedClaims(const std::vector<const CaseSpec*>& specs, const PluginUnderTest& under_test,
                     std::vector<CaseResult>& results);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CLAIMS_ASKED_CLAIMS_H_
