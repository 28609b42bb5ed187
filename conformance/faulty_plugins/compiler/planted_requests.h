// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Faults in how Mimic's compiler treats what it is given to look at and to compile.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_PLANTED_REQUESTS_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_PLANTED_REQUESTS_H_

#include "sdk/host/model/graph/model.h"

namespace npukit::conformance::mimic {

void PlantInPartition(Subgraph& subgraph);
void PlantInCompile(Model& partitions);
// Whether a fault leaves an op alone that is claimed.
bool IsMissed(Op& op);
bool HasLargeTensor(const Model& partitions);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_PLANTED_REQUESTS_H_
