// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run as Chrome trace events, which chrome://tracing and Perfetto open.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_TRACE_FILE_H_
#define NPUKIT_SDK_TOOLS_REPORTS_TRACE_FILE_H_

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::tools {

// Process 1 holds the host's steps; process 2 + i what step i's dispatch library reported about its
// engines (NPUKIT_METRIC_TRACE_EVENTS), placed at the moment that the step began. A trace that a
// library reports in another form is left out. `metrics` has one entry per step, or none. Times in
// microseconds.
nlohmann::ordered_json MakeTrace(const SignatureRunner& runner,
                                 const std::vector<DispatchMetrics>& metrics);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_TRACE_FILE_H_
