// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_TOOLS_TIME_PAGE_DOUBLED_RUNS_H_
#define NPUKIT_SDK_TOOLS_TIME_PAGE_DOUBLED_RUNS_H_

#include <span>
#include <string>
#include <vector>

#include "sdk/host/session/session.h"
#include "sdk/tools/flags/session_flags.h"
#include "sdk/tools/time_page/layers.h"

namespace npukit::tools {

struct DoubledRuns {
  std::vector<DoubledRun> runs;
  std::string not_measured;  // why there are none; empty otherwise
};

// Compiles the model anew for each SoC that the dispatch library describes with twice as much of
// something (NPUKIT_METRIC_DOUBLED_PREFIX), and times it. `session` is the one that `metrics` are of.
// A run that fails has its reason.
DoubledRuns RunDoubled(const SessionFlags& flags, const Session& session,
                       std::span<const StepInfo> steps, std::span<const DispatchMetrics> metrics);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_TIME_PAGE_DOUBLED_RUNS_H_
