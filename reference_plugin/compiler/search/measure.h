// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The cycles of a planned program, as the simulator counts them: no values, no memory, the time of all
// engines together. What estimates (schedule.h) leave out is in it: shared DRAM and banks, queues, fetches.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_MEASURE_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_MEASURE_H_

#include <cstdint>

#include "reference_plugin/compiler/search/effort.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme::compiler {

// Makes its syncs and code, if they are not there. An error is a fault of the compiler.
Expected<void> Emit(PlannedTasks& planned);

// Emits it. An error is a fault of the compiler: the program does not run to its end.
Expected<int64_t> MeasureCycles(PlannedTasks& planned, const Hardware& hardware);

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SEARCH_MEASURE_H_
