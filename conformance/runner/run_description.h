// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run's reports say of it before it begins: what is judged, by which files, how it is repeated.

#ifndef NPUKIT_CONFORMANCE_RUNNER_RUN_DESCRIPTION_H_
#define NPUKIT_CONFORMANCE_RUNNER_RUN_DESCRIPTION_H_

#include <string>
#include <vector>

#include "conformance/report/run_info.h"
#include "conformance/runner/command_line.h"
#include "conformance/runner/shard.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/suite/suite.h"

namespace npukit::conformance {

// Of the cycles that the run is held against; empty: none.
std::string BaselinePath(const ConformArguments& arguments, const PluginUnderTest& under_test);

RunInfo DescribeRun(const ConformArguments& arguments, const PluginUnderTest& under_test,
                    const std::vector<Suite>& suites, const Shard& shard);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_RUN_DESCRIPTION_H_
