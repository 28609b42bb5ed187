// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/device_facts.h"

#include <gtest/gtest.h>

namespace npukit::remote {
namespace {

TEST(DeviceFactsTest, NamesOfCpus) {
  const struct {
    const char* cpuinfo;
    const char* expected;
  } kRows[] = {
      {"processor\t: 0\nmodel name\t: Some CPU 9000\n\nprocessor\t: 1\nmodel name\t: Other\n",
       "Some CPU 9000"},
      {"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\nCPU revision\t: 0\n",
       "implementer 0x41, part 0xd0b"},
      {"Hardware\t: Board Of Somebody\n", "Board Of Somebody"},
      {"model name", ""},
      {"", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(CpuName(row.cpuinfo), row.expected) << row.cpuinfo;
}

TEST(DeviceFactsTest, OfThisMachine) {
  const DeviceFacts facts = FactsOfDevice("1.2.3", "/");
  EXPECT_EQ(facts.worker_version, "1.2.3");
  EXPECT_GT(facts.memory_bytes, facts.free_memory_bytes);
  EXPECT_GT(facts.free_cache_bytes, 0U);
  EXPECT_GT(facts.processors, 0U);
  EXPECT_GE(facts.libraries.size(), 2U);
}

}  // namespace
}  // namespace npukit::remote
