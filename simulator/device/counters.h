// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run costs.

#ifndef NPUKIT_SIMULATOR_DEVICE_COUNTERS_H_
#define NPUKIT_SIMULATOR_DEVICE_COUNTERS_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/isa/types.h"

namespace acme {

enum class Stall : uint8_t {
#define ACME_STALL(Id, name, doc) k##Id,
#include "simulator/device/stalls.def"
#undef ACME_STALL
};
inline constexpr int kStallCount = 8;

std::string_view NameOfStall(int stall);
std::string_view NameOfEngine(int engine);  // "command", "load", ...

struct Counters {
  int64_t cycles = 0;
  int64_t instructions = 0;
  int64_t macs = 0;
  int64_t array_macs = 0;  // of macs, the matrix engine's
  int64_t vector_elems = 0;
  int64_t dram_read_bytes = 0;
  int64_t dram_write_bytes = 0;
  int64_t fetch_bytes = 0;  // of dram_read_bytes, instructions
  int64_t scratchpad_bytes = 0;
  int64_t accumulator_bytes = 0;
  double energy_pj = 0;
  // busy[e] + sum of stalls[e] = cycles for each engine.
  std::array<int64_t, kEngineCount> busy_cycles = {};
  std::array<std::array<int64_t, kStallCount>, kEngineCount> stall_cycles = {};
  std::array<int64_t, kEngineCount> engine_instructions = {};
  friend bool operator==(const Counters&, const Counters&) = default;
};

struct Hardware;

// Adds a copy of the driver's, from DRAM to DRAM before the program begins; of 0 bytes, nothing.
void CountDriverCopy(int64_t bytes, const Hardware& hardware, Counters& counters);

// Counters of the instructions of one debug handle.
struct HandleCounters {
  uint32_t handle = 0;
  // Cycles of the run's timeline given to this handle: each cycle goes to the instruction active on
  // the first busy engine of matrix, vector, store, load; idle cycles go to the last one that was
  // active. The sum over handles is the run's cycles.
  int64_t cycles = 0;
  std::array<int64_t, kEngineCount> busy_cycles = {};
  // Of `cycles`, those in which an engine did nothing, whoever's instruction it had to wait for. What
  // conflicts with banks cost is its own instructions'.
  std::array<std::array<int64_t, kStallCount>, kEngineCount> stall_cycles = {};
  int64_t instructions = 0;
  int64_t macs = 0;
  int64_t array_macs = 0;  // of macs, the matrix engine's
  int64_t dram_bytes = 0;
  int64_t dram_read_bytes = 0;  // of dram_bytes
  double energy_pj = 0;
};

// One instruction on the timeline. A cp.mark stands for the time in which the command processor
// dispatches the instructions after it.
struct TraceSlice {
  uint32_t pc;
  uint32_t handle;
  Engine engine;
  uint8_t opcode;
  int64_t begin_cycle;  // its unit begins
  int64_t end_cycle;    // its results are complete; they are seen in the engine's order
  int64_t dram_bytes;
  int64_t macs;
};

// Bytes of the scratchpad that hold something still needed, from a cycle on.
struct OccupancyLevel {
  int64_t cycle;
  int64_t bytes;
  friend bool operator==(const OccupancyLevel&, const OccupancyLevel&) = default;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_COUNTERS_H_
