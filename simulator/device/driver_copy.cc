// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/driver_copy.h"

namespace acme {

int64_t DriverCopyCycles(int64_t bytes, const Hardware& hardware) {
  if (bytes == 0) return 0;
  // Each byte goes through the DRAM's port once in and once out.
  return (2 * bytes + hardware.dram_bytes_per_cycle - 1) / hardware.dram_bytes_per_cycle +
         hardware.dram_latency_cycles;
}

}  // namespace acme
