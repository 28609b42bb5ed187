// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/counters.h"

#include "simulator/hw/hardware.h"

namespace acme {

std::string_view NameOfStall(int stall) {
  static constexpr std::string_view kNames[] = {
#define ACME_STALL(Id, name, doc) name,
#include "simulator/device/stalls.def"
#undef ACME_STALL
  };
  static_assert(std::size(kNames) == kStallCount);
  return stall >= 0 && stall < kStallCount ? kNames[stall] : std::string_view();
}

std::string_view NameOfEngine(int engine) {
  static constexpr std::string_view kNames[] = {"command", "load", "matrix", "vector", "store"};
  static_assert(std::size(kNames) == kEngineCount);
  return engine >= 0 && engine < kEngineCount ? kNames[engine] : std::string_view();
}

void CountDriverCopy(int64_t bytes, const Hardware& hardware, Counters& counters) {
  if (bytes == 0) return;
  // Each byte goes through the DRAM's port once in and once out.
  const int64_t cycles =
      (2 * bytes + hardware.dram_bytes_per_cycle - 1) / hardware.dram_bytes_per_cycle +
      hardware.dram_latency_cycles;
  counters.cycles += cycles;
  counters.dram_read_bytes += bytes;
  counters.dram_write_bytes += bytes;
  counters.energy_pj += static_cast<double>(2 * bytes) * hardware.energy.dram_byte_pj;
  for (auto& stalls : counters.stall_cycles)
    stalls[static_cast<size_t>(Stall::kDramBandwidth)] += cycles;
}

}  // namespace acme
