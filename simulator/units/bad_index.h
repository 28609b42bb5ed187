// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The error of a run whose data names a place that does not exist.

#ifndef NPUKIT_SIMULATOR_UNITS_BAD_INDEX_H_
#define NPUKIT_SIMULATOR_UNITS_BAD_INDEX_H_

#include <cstdint>
#include <string>

#include "simulator/isa/expected.h"
#include "simulator/units/memory.h"

namespace acme {

// `name`: of the debug handle; may be empty.
Error BadIndexError(const Memory::BadIndex& bad, uint32_t pc, const std::string& name);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_BAD_INDEX_H_
