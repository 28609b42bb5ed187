// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What Mimic's compiler knows of language models: caches, and the step of one token.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_IN_PLACE_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_IN_PLACE_H_

#include <cstdint>
#include <vector>

#include "sdk/host/model/graph/model.h"

namespace npukit::conformance::mimic {

// For each output the input that it may be written over, or -1.
std::vector<int32_t> InPlaceInputs(const Subgraph& subgraph);

// A language model's step of one token.
bool IsDecode(const Subgraph& subgraph);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_IN_PLACE_H_
