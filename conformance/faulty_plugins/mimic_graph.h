// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's graphs of executables.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_

#include <memory>

#include "conformance/faulty_plugins/mimic_device.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit::conformance::mimic {

// The functions that make graphs; those of invocation contexts are left null.
LiteRtDispatchGraphInterface GraphFunctions();

// The graph as it is now, ready to run. An error if it is not complete, or is no graph.
litert::Expected<std::unique_ptr<Computation>> LoadGraph(LiteRtDispatchGraph graph);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_GRAPH_H_
