// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: verifies a program, runs it, and hands out what happened.

#ifndef NPUKIT_SIMULATOR_DEVICE_TESTING_TEST_MACHINE_H_
#define NPUKIT_SIMULATOR_DEVICE_TESTING_TEST_MACHINE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/device/simulation.h"
#include "simulator/isa/program_builder.h"
#include "simulator/module/verify.h"

namespace acme {

// DRAM buffers of a test program: [0] constants, [1] workspace, [2...] bindings, all but the
// constants writable.
struct TestMachine {
  explicit TestMachine(Hardware hw) : hardware(std::move(hw)), buffers(2) {}

  // Runs and returns the result; races are always checked.
  Expected<RunResult> Run(const std::vector<Word>& code, RunMode mode = RunMode::kFunctionAndTime,
                          int64_t budget = int64_t{1} << 40) {
    std::vector<BufferLimits> limits;
    RunOptions options;
    for (size_t b = 0; b < buffers.size(); ++b) {
      limits.push_back({buffers[b].size(), true, b != 0});
      options.buffer_bytes.push_back(static_cast<int64_t>(buffers[b].size()));
    }
    ACME_ASSIGN_OR_RETURN(const Program program, VerifyProgram(code, hardware, limits));
    options.mode = mode;
    options.last = last;
    options.check_races = check_races;
    options.trace = true;
    options.profile = true;
    options.cycle_budget = budget;
    if (mode != RunMode::kTimeOnly) {
      units = std::make_unique<Units>(hardware);
      for (auto& buffer : buffers) units->memory().buffers.push_back(buffer.data());
    }
    return RunProgram(program, hardware, units.get(), options);
  }

  // Cycles between the first begin and the last end of an engine's slices.
  static int64_t SpanOf(const RunResult& result, Engine engine) {
    int64_t begin = INT64_MAX, end = 0;
    for (const TraceSlice& slice : result.trace) {
      if (slice.engine != engine) continue;
      begin = std::min(begin, slice.begin_cycle);
      end = std::max(end, slice.end_cycle);
    }
    return end - begin;
  }

  Hardware hardware;
  std::vector<std::vector<uint8_t>> buffers;
  std::unique_ptr<Units> units;
  bool check_races = true;
  Engine last = Engine::kStore;  // where no time is kept and no race is looked for
};

// The first slice of an instruction.
inline const TraceSlice& SliceAt(const RunResult& result, uint32_t pc) {
  for (const TraceSlice& slice : result.trace) {
    if (slice.pc == pc) return slice;
  }
  ADD_FAILURE() << "no slice of instruction " << pc;
  return result.trace.front();
}

// A machine with three buffers of so many bytes: constants, workspace and one binding.
inline TestMachine MachineWithBuffers(const Hardware& hw, size_t bytes = 65536) {
  TestMachine machine(hw);
  machine.buffers = {std::vector<uint8_t>(bytes), std::vector<uint8_t>(bytes),
                     std::vector<uint8_t>(bytes)};
  return machine;
}

// acme_a1 with plain numbers, so that expected cycles can be worked out by hand: an array of one block,
// instructions as they are.
inline Hardware PlainHardware() {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.dram_bytes_per_cycle = 16;
  hw.dram_latency_cycles = 100;
  hw.dram_burst_bytes = 64;
  hw.dma_setup_cycles = 4;
  hw.vector_startup_cycles = 6;
  hw.row_groups = hw.col_groups = 1;
  hw.preloaded_instructions = 0;
  hw.packed_instructions = false;
  return hw;
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TESTING_TEST_MACHINE_H_
