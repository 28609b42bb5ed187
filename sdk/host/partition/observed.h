// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What of a subgraph somebody outside it looks at.

#ifndef NPUKIT_SDK_HOST_PARTITION_OBSERVED_H_
#define NPUKIT_SDK_HOST_PARTITION_OBSERVED_H_

#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit {

// By tensor: signatures name it, so it stays in the outer graph.
std::vector<bool> TensorsOfSignatures(const Model& model, const Subgraph& subgraph);

// By op: nothing observes it. No path leads from it to an output of the subgraph, an observed tensor
// or an op with effects.
std::vector<bool> FindDeadOps(const Subgraph& subgraph, const std::vector<bool>& observed);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_PARTITION_OBSERVED_H_
