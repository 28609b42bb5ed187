// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/counters.h"

#include <gtest/gtest.h>

#include <numeric>

#include "simulator/hw/hardware.h"

namespace acme {
namespace {

Counters OfCopy(int64_t bytes) {
  Counters counters;
  CountDriverCopy(bytes, *BuiltinHardware("acme_a1"), counters);
  return counters;
}

TEST(DriverCopy, ReadsAndWritesTheDramOnce) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EXPECT_EQ(OfCopy(0), Counters());
  EXPECT_EQ(OfCopy(1).cycles, 1 + hw.dram_latency_cycles);
  const Counters copy = OfCopy(1000);
  EXPECT_EQ(copy.cycles, 2000 / hw.dram_bytes_per_cycle + hw.dram_latency_cycles);
  EXPECT_EQ(copy.dram_read_bytes, 1000);
  EXPECT_EQ(copy.dram_write_bytes, 1000);
  // Each engine's time still adds up to the run's.
  for (const auto& stalls : copy.stall_cycles)
    EXPECT_EQ(std::accumulate(stalls.begin(), stalls.end(), int64_t{0}), copy.cycles);
}

}  // namespace
}  // namespace acme
