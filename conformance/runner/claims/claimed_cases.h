// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What follows from the claims: for each operator and type that a vendor claims, a case of the suites
// that has it, put to the checks of how libraries are used. A vendor who claims CONV_2D alone is asked
// as much as one who claims ADD.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CLAIMS_CLAIMED_CASES_H_
#define NPUKIT_CONFORMANCE_RUNNER_CLAIMS_CLAIMED_CASES_H_

#include <functional>
#include <vector>

#include "conformance/runner/checks/workbench.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {

// The suite "claimed", in the order of the claims. No vendor code runs. Cases are those of `suites`
// with one op, the first with a dozen elements or the first; claims without one are left out.
Suite ClaimedSuite(const std::vector<Suite>& suites, const PluginUnderTest& under_test);

// Calls `take` for every case of a graph whose values are judged, with its ops and their claims.
void ForEachJudgedCase(
    const std::vector<Suite>& suites, const PluginUnderTest& under_test,
    const std::function<void(const CaseSpec&, const std::vector<JudgedOp>&)>& take);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CLAIMS_CLAIMED_CASES_H_
