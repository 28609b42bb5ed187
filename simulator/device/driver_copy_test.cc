// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/driver_copy.h"

#include <gtest/gtest.h>

namespace acme {
namespace {

TEST(DriverCopy, ReadsAndWritesTheDramOnce) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EXPECT_EQ(DriverCopyCycles(0, hw), 0);
  EXPECT_EQ(DriverCopyCycles(1000, hw), 2000 / hw.dram_bytes_per_cycle + hw.dram_latency_cycles);
  EXPECT_EQ(DriverCopyCycles(1, hw), 1 + hw.dram_latency_cycles);
}

}  // namespace
}  // namespace acme
