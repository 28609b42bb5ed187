// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a network of floats errs as a whole, where no bound is left to hold it to.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_WHOLE_ERRORS_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_WHOLE_ERRORS_H_

#include <string>

#include "conformance/runner/checks/observed_run.h"
#include "conformance/runner/checks/workbench.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

// Runs one signature with six sets of random inputs: `whole` as users compile it, `by_ops` with each op
// compiled by itself, whose ops were found right, and on the CPU. All three round about as often, so
// that `whole` is no farther from `by_ops` than the CPU is: at most four times as far, in the root of the
// mean square; or than values are with drawn errors that are typical of the ops (SampledErrors), for the CPU
// may happen to sum as `by_ops` does. Says where it is farther, or is no number; else empty.
litert::Expected<std::string> WholeErrors(Workbench& bench, const std::string& key,
                                          ObservedSession& whole, ObservedSession& by_ops);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_WHOLE_ERRORS_H_
