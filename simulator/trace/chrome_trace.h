// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A run's timeline as Chrome/Perfetto JSON: one track per engine, instructions as slices named
// after their debug handle (on the command processor's track, the operators that it dispatches),
// and counters of DRAM bandwidth, engine occupancy and the scratchpad's.

#ifndef NPUKIT_SIMULATOR_TRACE_CHROME_TRACE_H_
#define NPUKIT_SIMULATOR_TRACE_CHROME_TRACE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "simulator/device/counters.h"
#include "simulator/isa/expected.h"

namespace acme {

struct TraceContext {
  std::string process_name;  // e.g. the SoC model
  int64_t clock_mhz = 1000;  // cycles become microseconds with it
  int64_t total_cycles = 0;
  std::span<const OccupancyLevel> scratchpad_levels;        // empty: no such counter
  std::function<std::string(uint32_t handle)> handle_name;  // may be empty, may return ""
};

// The JSON text; deterministic.
std::string ChromeTraceJson(std::span<const TraceSlice> slices, const TraceContext& context);

// Writes it to a file. Error: kIo.
Expected<void> WriteChromeTrace(const std::string& path, std::span<const TraceSlice> slices,
                                const TraceContext& context);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_TRACE_CHROME_TRACE_H_
