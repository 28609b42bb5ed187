// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's graphs of executables.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/faulty_plugins/mimic_device.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::conformance::mimic {

// The functions that make graphs; those of invocation contexts are left null.
LiteRtDispatchGraphInterface GraphFunctions();

// The bytecode of an executable; none if it is not loaded.
std::optional<std::vector<uint8_t>> BytecodeOf(LiteRtDispatchExecutableHandle executable);

// The graph as it is now, ready to run. An error if it is not complete, or is no graph.
litert::Expected<std::unique_ptr<Computation>> LoadGraph(LiteRtDispatchGraph graph);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_
