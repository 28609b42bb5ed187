// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Networks that the kit brings along, so that whole models can be judged without a file: built in
// memory, in the style of MLPerf Tiny, with weights from a fixed seed.

#ifndef NPUKIT_CONFORMANCE_SPEC_GRAPH_NETWORKS_H_
#define NPUKIT_CONFORMANCE_SPEC_GRAPH_NETWORKS_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

std::vector<std::string> NetworkNames();
bool IsNetwork(std::string_view name);

// NotFound for unknown names.
litert::Expected<std::unique_ptr<Model>> BuildNetwork(std::string_view name);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_SPEC_GRAPH_NETWORKS_H_
