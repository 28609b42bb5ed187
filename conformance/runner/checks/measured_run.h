// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run costs, as the vendor's metrics tell.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_MEASURED_RUN_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_MEASURED_RUN_H_

#include <functional>

#include "conformance/observation/run_costs.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/session/session.h"

namespace npukit::conformance {

// Calls `run`, which runs `runner` once, with metrics of that detail (npukit/metrics.h) collected.
// Where there are none, or they can't be had, only the modules' size is told: what metrics must do
// is another check's.
litert::Expected<RunCosts> MeasureRun(const Session& session, SignatureRunner& runner,
                                      int detail_level,
                                      const std::function<litert::Expected<void>()>& run);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_MEASURED_RUN_H_
