// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A partition's output beside the oracle's, by what its case and its claims allow.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_COMPARE_OUTPUT_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_COMPARE_OUTPUT_H_

#include <cstdint>
#include <span>

#include "conformance/runner/checks/workbench.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {

// Some op of the partition is claimed with `rounding: once`.
bool AnyRoundsOnce(const Claims& claims, const Subgraph& body);
// And several are there: the oracle can't know what is handed from one to the next.
bool HandsOnRoundedOnce(const Claims& claims, const Subgraph& body);

// Output `index` of an oracle that ran, of a partition without values that are rounded once.
litert::Expected<kernels::RoundedOnce> CompareOutput(const Workbench& bench,
                                                     const GraphOracle& oracle,
                                                     const Subgraph& body, size_t index,
                                                     std::span<const uint8_t> actual);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_COMPARE_OUTPUT_H_
