// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once per library, with NPUKIT_FAULT defined as the fault's name.

#include "conformance/faulty_plugins/fault.h"

namespace npukit::conformance::mimic {

extern const Fault kPlantedFault = Fault::NPUKIT_FAULT;

}  // namespace npukit::conformance::mimic
