// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's answer to "can you take this op?", and its SoCs.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_SUPPORT_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_SUPPORT_H_

#include <vector>

#include "sdk/host/model/graph/op.h"

namespace npukit::conformance::mimic {

bool Supports(const Op& op);
bool HasDynamicShape(const Op& op);

// With the planted fault, if it is about the list.
std::vector<const char*> SocModels();
// Null is the default SoC.
bool KnowsSoc(const char* soc_model);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_COMPILER_MIMIC_SUPPORT_H_
