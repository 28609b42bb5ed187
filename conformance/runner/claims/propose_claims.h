// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asks the plugin about every op of every case and drafts claims from its answers.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CLAIMS_PROPOSE_CLAIMS_H_
#define NPUKIT_CONFORMANCE_RUNNER_CLAIMS_PROPOSE_CLAIMS_H_

#include <atomic>
#include <string>
#include <vector>

#include "conformance/runner/process/device_pool.h"
#include "conformance/runner/vendor/plugin_under_test.h"
#include "conformance/spec/suite/suite.h"
#include "litert/cc/litert_expected.h"

namespace npukit::conformance {

struct Proposal {
  std::string yaml;
  size_t cases_asked = 0;
  size_t cases_left_out = 0;  // the plugin crashed or failed on them, or they could not be made
};

// Cases without a graph are passed over. `devices`: where the compiler plugin is; null: here. `stop` ends it early, with
// what was seen so far.
litert::Expected<Proposal> ProposeClaims(const std::vector<Suite>& suites,
                                         const PluginUnderTest& under_test, int jobs,
                                         DevicePool* devices, std::atomic<bool>& stop);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CLAIMS_PROPOSE_CLAIMS_H_
