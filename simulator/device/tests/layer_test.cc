// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole layers: right values, no races, every cycle accounted for, and cycles near the ideal.

#include <gtest/gtest.h>

#include <random>

#include "simulator/device/testing/sample_programs.h"
#include "simulator/device/testing/test_machine.h"
#include "simulator/isa/footprint.h"
#include "simulator/units/arithmetic/fixed_point.h"

namespace acme {
namespace {

void FillRandom(std::vector<uint8_t>& bytes, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
}

// A record that scales by about 2^-shift.
void WriteRecord(uint8_t* at, int32_t bias, int32_t multiplier, int8_t shift) {
  StoreAs(at, bias);
  StoreAs<int8_t>(at + 4, bias < 0 ? -1 : 0);
  StoreAs(at + 5, multiplier);
  StoreAs(at + 9, shift);
}

int8_t Requantised(int32_t sum, const uint8_t* record) {
  const int32_t value = MultiplyDouble(sum + LoadAs<int32_t>(record), LoadAs<int32_t>(record + 5),
                                       LoadAs<int8_t>(record + 9));
  return static_cast<int8_t>(std::clamp(value, -128, 127));
}

void ExpectStallsAddUp(const RunResult& result) {
  for (int e = 0; e < kEngineCount; ++e) {
    int64_t sum = result.counters.busy_cycles[e];
    for (int64_t stall : result.counters.stall_cycles[e]) sum += stall;
    EXPECT_EQ(sum, result.counters.cycles) << NameOfEngine(e);
  }
  int64_t handles = 0;
  for (const HandleCounters& handle : result.profile) handles += handle.cycles;
  EXPECT_EQ(handles, result.counters.cycles);
  for (int e = 0; e < kEngineCount; ++e) {
    for (int s = 0; s < kStallCount; ++s) {
      // What units lose to each other is counted as one for the run, in the end.
      const auto why = static_cast<Stall>(s);
      if (why == Stall::kBankConflict || why == Stall::kDramBandwidth) continue;
      int64_t of_handles = 0;
      for (const HandleCounters& handle : result.profile) of_handles += handle.stall_cycles[e][s];
      EXPECT_EQ(of_handles, result.counters.stall_cycles[e][s])
          << NameOfEngine(e) << ", " << NameOfStall(s);
    }
    for (const HandleCounters& handle : result.profile) {
      int64_t stalled = 0;
      for (int64_t stall : handle.stall_cycles[e]) stalled += stall;
      EXPECT_LE(stalled, handle.cycles) << NameOfEngine(e) << ", handle " << handle.handle;
    }
  }
}

Hardware BigScratchpad(int64_t array, int64_t dram_bytes_per_cycle) {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.array_rows = hw.array_cols = array;
  hw.weight_rows_per_cycle = array / 8;
  hw.vector_lanes = 2 * array;
  hw.scratchpad_bytes = 4 << 20;
  hw.scratchpad_word_bytes = array;
  hw.scratchpad_banks = 32;
  hw.accumulator_rows = 4096;
  hw.dram_bytes_per_cycle = dram_bytes_per_cycle;
  return hw;
}

TEST(LayerTest, GemmValuesAndAccounts) {
  const GemmSize size{96, 128, 96};
  TestMachine machine(BigScratchpad(32, 16));
  machine.buffers.resize(4);
  machine.buffers[0].resize(size.k * size.n + size.n * kIntegerRecordBytes);
  machine.buffers[2].resize(size.m * size.k);
  machine.buffers[3].resize(size.m * size.n);
  FillRandom(machine.buffers[0], 1);
  FillRandom(machine.buffers[2], 2);
  uint8_t* records = machine.buffers[0].data() + size.k * size.n;
  for (int64_t c = 0; c < size.n; ++c)
    WriteRecord(records + c * kIntegerRecordBytes, static_cast<int32_t>(c * 100 - 3000),
                (1 << 30) + static_cast<int32_t>(c << 20), -10);
  Expected<RunResult> result = machine.Run(GemmProgram(machine.hardware, size));
  ASSERT_TRUE(result) << result.Error().Message();
  for (int64_t i = 0; i < size.m; ++i) {
    for (int64_t c = 0; c < size.n; ++c) {
      int32_t sum = 0;
      for (int64_t r = 0; r < size.k; ++r) {
        sum += static_cast<int8_t>(machine.buffers[2][i * size.k + r]) *
               static_cast<int8_t>(machine.buffers[0][r * size.n + c]);
      }
      ASSERT_EQ(static_cast<int8_t>(machine.buffers[3][i * size.n + c]),
                Requantised(sum, records + c * kIntegerRecordBytes))
          << i << "," << c;
    }
  }
  ExpectStallsAddUp(*result);
  EXPECT_EQ(result->counters.macs, size.m * size.k * size.n);
  // The same cycles without values, and on every run.
  Expected<RunResult> again = machine.Run(GemmProgram(machine.hardware, size), RunMode::kTimeOnly);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->counters, result->counters);
}

TEST(LayerTest, ConvolutionValuesAndAccounts) {
  const ConvSize size{13, 11, 64, 64, 3};
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.accumulator_rows = 128;  // several tiles of five rows
  TestMachine machine(hw);
  machine.buffers.resize(4);
  const int64_t weight_bytes = 9 * size.in_channels * size.out_channels;
  machine.buffers[0].resize(weight_bytes + size.out_channels * kIntegerRecordBytes);
  machine.buffers[2].resize(size.height * size.width * size.in_channels);
  machine.buffers[3].resize(size.height * size.width * size.out_channels);
  FillRandom(machine.buffers[0], 3);
  FillRandom(machine.buffers[2], 4);
  uint8_t* records = machine.buffers[0].data() + weight_bytes;
  for (int64_t c = 0; c < size.out_channels; ++c)
    WriteRecord(records + c * kIntegerRecordBytes, 5, 1 << 30, -11);
  Expected<RunResult> result = machine.Run(ConvProgram(hw, size));
  ASSERT_TRUE(result) << result.Error().Message();
  for (int64_t y = 0; y < size.height; ++y) {
    for (int64_t x = 0; x < size.width; ++x) {
      for (int64_t o = 0; o < size.out_channels; ++o) {
        int32_t sum = 0;
        for (int64_t t = 0; t < 9; ++t) {
          const int64_t iy = y + t / 3 - 1, ix = x + t % 3 - 1;
          if (iy < 0 || iy >= size.height || ix < 0 || ix >= size.width) continue;
          for (int64_t c = 0; c < size.in_channels; ++c) {
            sum += static_cast<int8_t>(
                       machine.buffers[2][(iy * size.width + ix) * size.in_channels + c]) *
                   static_cast<int8_t>(
                       machine.buffers[0][(t * size.in_channels + c) * size.out_channels + o]);
          }
        }
        ASSERT_EQ(
            static_cast<int8_t>(machine.buffers[3][(y * size.width + x) * size.out_channels + o]),
            Requantised(sum, records + o * kIntegerRecordBytes))
            << y << "," << x << "," << o;
      }
    }
  }
  ExpectStallsAddUp(*result);
}

// The published ideal for comparison: 1024^3 multiply-accumulates on the whole array.
TEST(LayerTest, LargeGemmIsNearTheIdeal) {
  struct Case {
    int64_t array, dram_bytes_per_cycle;
    double limit;
    int64_t cycles;  // the same on every machine; docs/timing.md has them
  };
  for (const Case& c : {Case{32, 64, 1.01, 1052429}, Case{128, 256, 1.05, 67938}}) {
    const GemmSize size{1024, 1024, 1024};
    TestMachine machine(BigScratchpad(c.array, c.dram_bytes_per_cycle));
    machine.check_races = false;
    machine.buffers.resize(4);
    machine.buffers[0].resize(size.k * size.n + size.n * kIntegerRecordBytes);
    machine.buffers[2].resize(size.m * size.k);
    machine.buffers[3].resize(size.m * size.n);
    Expected<RunResult> result =
        machine.Run(GemmProgram(machine.hardware, size), RunMode::kTimeOnly);
    ASSERT_TRUE(result) << result.Error().Message();
    const double ideal =
        1024.0 * 1024.0 * 1024.0 / static_cast<double>(machine.hardware.PeakMacsPerCycle());
    EXPECT_LT(static_cast<double>(result->counters.cycles) / ideal, c.limit) << c.array;
    ExpectStallsAddUp(*result);
    EXPECT_EQ(result->counters.cycles, c.cycles);
  }
}

}  // namespace
}  // namespace acme
