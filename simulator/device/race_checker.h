// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds accesses of two engines to the same bytes that no semaphore orders (read after write, write
// after read, write after write), whatever order this run happened to take. Vector clocks: an
// instruction knows, for every engine, how many of its instructions are certainly complete; a
// semaphore hands the poster's knowledge on to the one that takes it. Posts of a semaphore are
// matched with waits first in, first out.

#ifndef NPUKIT_SIMULATOR_DEVICE_RACE_CHECKER_H_
#define NPUKIT_SIMULATOR_DEVICE_RACE_CHECKER_H_

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/footprint.h"
#include "simulator/units/zeroed_array.h"

namespace acme {

// [e]: instructions of engine e that are complete.
using RaceClock = std::array<uint32_t, kEngineCount>;

class RaceChecker {
 public:
  // buffer_bytes: sizes of the DRAM buffers by binding. Buffers above 16 MiB are not watched.
  RaceChecker(const Hardware& hardware, const std::vector<int64_t>& buffer_bytes,
              std::function<std::string(uint32_t)> handle_name);

  // The command processor's knowledge, to be kept with every instruction it dispatches.
  const RaceClock& CommandClock() const { return clock_[0]; }

  // An engine begins an instruction: takes its semaphores and what the command processor knew.
  // Returns its number in its engine.
  uint32_t Begin(Engine engine, const Sync& sync, const RaceClock& dispatched, uint32_t pc,
                 uint32_t handle);
  // Its accesses, in the state before it. A message when there is a race.
  std::optional<std::string> CheckAccesses(Engine engine, const Instr& instr,
                                           const EngineState& state);
  // It is complete and posts. `number` is what Begin gave.
  void Post(Engine engine, uint32_t number, const Sync& sync);
  // A fence: everything begun so far is complete for everyone.
  void Fence();

 private:
  struct Origin {
    uint32_t pc;
    uint32_t handle;
  };
  // What was last done to one unit of memory: numbers by engine, 0 is never.
  struct Cell {
    uint32_t write_number = 0;
    uint8_t write_engine = 0;
    std::array<uint32_t, kEngineCount> read_number = {};
  };

  // Cells that nothing has touched: Cell() is all zeros.
  class Cells {
   public:
    explicit Cells(int64_t count) : count_(count), cells_(static_cast<size_t>(count)) {}
    bool empty() const { return count_ == 0; }
    Cell& operator[](int64_t at) { return cells_.data()[at]; }

   private:
    int64_t count_;
    ZeroedArray<Cell> cells_;
  };

  Cells* CellsOf(const Access& access, int64_t& shift);
  std::optional<std::string> CheckCell(Engine engine, const Access& access, int64_t at, Cell& cell);
  std::string Describe(Engine engine, uint32_t number) const;

  std::function<std::string(uint32_t)> handle_name_;
  int64_t array_cols_;
  // What each engine knows; [0] is the command processor.
  std::array<RaceClock, kEngineCount> clock_ = {};
  std::array<uint32_t, kEngineCount> begun_ = {};
  std::array<std::vector<Origin>, kEngineCount> origins_;
  // What each instruction's engine knew when it began.
  std::array<std::vector<RaceClock>, kEngineCount> begin_clock_;
  std::array<std::deque<RaceClock>, kSemaphoreCount> posted_;
  Cells scratchpad_;         // by byte
  Cells accumulators_;       // by word
  std::vector<Cells> dram_;  // by binding and byte
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_RACE_CHECKER_H_
