// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a verified program on simulated hardware.

#ifndef NPUKIT_SIMULATOR_DEVICE_SIMULATION_H_
#define NPUKIT_SIMULATOR_DEVICE_SIMULATION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "simulator/device/counters.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"
#include "simulator/isa/sequencer.h"
#include "simulator/units/units.h"

namespace acme {

enum class RunMode : uint8_t { kFunctionAndTime, kFunctionOnly, kTimeOnly };

struct RunOptions {
  RunMode mode = RunMode::kFunctionAndTime;
  // Where values are computed without time, the engine that goes on only when no other may. Semaphores
  // allow that of each: what should have waited for it and does not makes wrong values.
  Engine last = Engine::kStore;
  int64_t cycle_budget = int64_t{1} << 40;
  bool check_races = false;
  bool profile = false;
  bool trace = false;
  const std::atomic<bool>* cancel = nullptr;  // stops the run soon after it becomes true
  // Name of a debug handle for messages; may be empty.
  std::function<std::string(uint32_t handle)> handle_name;
  std::string HandleName(uint32_t handle) const {
    return handle_name ? handle_name(handle) : std::string();
  }
  // Sizes of the DRAM buffers by binding, for the race checker; may be empty.
  std::vector<int64_t> buffer_bytes;
};

struct RunResult {
  Counters counters;
  std::vector<HandleCounters> profile;            // ascending by handle
  std::vector<TraceSlice> trace;                  // in the order of completion
  std::vector<OccupancyLevel> scratchpad_levels;  // with `trace`, ascending by cycle
};

// A run that went wrong says where.
struct RunFailure {
  uint32_t handle = 0;
};

// Runs the program to its end. units: hold memory and bound buffers; nullptr in time-only mode.
// Its memory is used, not cleared. failure, if not null, gets the debug handle at fault.
// Deterministic: equal inputs give equal results, also in cycles. Errors: kDeadlock, kCycleBudget,
// kRace, kCancelled, kInvalidProgram (a semaphore overflows), kBadIndex.
Expected<RunResult> RunProgram(const Program& program, const Hardware& hardware, Units* units,
                               const RunOptions& options, RunFailure* failure = nullptr);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_SIMULATION_H_
