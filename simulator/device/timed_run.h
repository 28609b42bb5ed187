// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The event-driven schedule of a program: a command processor that dispatches into four in-order
// queues, engines that begin instructions when their semaphores and units allow, shared DRAM and
// banks. Time jumps from event to event.

#ifndef NPUKIT_SIMULATOR_DEVICE_TIMED_RUN_H_
#define NPUKIT_SIMULATOR_DEVICE_TIMED_RUN_H_

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/device/in_flight.h"
#include "simulator/device/instruction_fetch.h"
#include "simulator/device/race_checker.h"
#include "simulator/device/scratchpad_occupancy.h"
#include "simulator/device/semaphores.h"
#include "simulator/device/shared_resources.h"
#include "simulator/device/simulation.h"

namespace acme {

class TimedRun {
 public:
  TimedRun(const Program& program, const Hardware& hardware, Units* units,
           const RunOptions& options);

  Expected<RunResult> Run();
  uint32_t FailedHandle() const { return failed_handle_; }

 private:
  // An instruction that the command processor has dispatched and its engine has not begun.
  struct Queued {
    Instr instr;
    Opcode opcode;
    uint32_t pc;
    uint32_t handle;
    uint32_t slot;
    RaceClock clock;
  };

  struct EngineUnit {
    // As long as a power of two, so that finding a place takes no division; `depth` of it are used.
    std::vector<Queued> ring;
    uint64_t mask = 0;
    uint64_t depth = 0;
    uint64_t front = 0;
    uint64_t back = 0;
    int64_t issue_at = 0;  // no instruction begins before
    InFlightQueue in_flight;
    // DMA: sequence of the first entry whose data has not begun to move, and entries whose data is
    // not complete.
    uint64_t next_transfer = 0;
    int64_t transfers = 0;

    void SetDepth(int64_t instructions) {
      depth = static_cast<uint64_t>(instructions);
      ring.resize(std::bit_ceil(depth));
      mask = ring.size() - 1;
    }
    bool Empty() const { return front == back; }
    bool Full() const { return back - front == depth; }
    Queued& Push() { return ring[back++ & mask]; }
    const Queued& Head() const { return ring[front & mask]; }
  };

  // timed_run.cc: time and the command processor.
  void Settle();
  void FetchAhead() { fetch_.Update(have_step_ ? step_.pc : sequencer_.Pc(), now_, resources_); }
  enum class Dispatched : uint8_t { kNothing, kAnInstruction, kWhatAnEngineMayBegin };
  Dispatched Dispatch();
  bool DispatchCommand(const Step& step);
  bool Idle() const;
  int64_t NextEvent() const;
  Error DeadlockError();
  void Fail(ErrorCode code, uint32_t pc, uint32_t handle, const std::string& message);

  // timed_issue.cc: engines.
  // Whether something of the engine may be due; asked far more often than there is, so before the call. Issue is for units
  // that MayBegin.
  bool MayComplete(const EngineUnit& unit) const {
    return !unit.in_flight.Empty() && unit.in_flight.Front().done_at >= 0 &&
           unit.in_flight.Front().done_at <= now_;
  }
  bool MayBegin(const EngineUnit& unit) const {
    return !unit.Empty() && (now_ >= unit.issue_at || weights_taken_at_ == now_);
  }
  // Whether that lets another instruction of the engine go on in the same cycle.
  bool Issue(Engine engine);
  // Its entry, which begins now.
  InFlightInstr& PushInFlight(EngineUnit& unit, const Queued& head, uint32_t race_number) const;
  void BeginConfiguration(EngineUnit& unit, const Queued& head, uint32_t race_number);
  bool BeginWork(Engine engine, const Queued& head, uint32_t race_number);
  bool MayIssue(Engine engine, const EngineUnit& unit, const Queued& head) const;
  bool StreamMayStart(const EngineUnit& unit, bool swap) const;
  bool LoadMayStart(const EngineUnit& unit) const;
  bool MayChangeType(const EngineUnit& unit, const isa::MType& type) const;
  void Account(Engine engine, const Queued& head, const InstructionCost& cost);
  void FinishUnits();
  void FinishUnit(Engine engine, Unit unit);
  void StartTransfers(Engine engine, Unit unit);
  void Complete(Engine engine);

  // timed_account.cc: where the cycles went.
  void Advance(int64_t cycles);
  void AccountHandle(int64_t cycles, const std::array<int, kEngineCount>& why);
  void AccountLosses();
  int Classify(Engine engine) const;  // kBusy or a Stall
  uint32_t ActiveSlot() const;
  void TraceMark(const Step& step);
  uint32_t SlotOf(uint32_t handle);
  void ReportProfile(RunResult& result);
  RunResult Report();

  static constexpr int kBusy = -1;
  EngineUnit& At(Engine engine) { return engines_[static_cast<int>(engine)]; }
  const EngineUnit& At(Engine engine) const { return engines_[static_cast<int>(engine)]; }

  const Program& program_;
  const Hardware& hardware_;
  Units* units_;
  const RunOptions& options_;

  int64_t now_ = 0;
  EngineState state_;
  Semaphores semaphores_;
  SharedResources resources_;
  InstructionFetch fetch_;
  std::array<EngineUnit, kEngineCount> engines_;      // [0] is not used
  std::array<uint64_t, kUnitCount> unit_entry_ = {};  // sequence of the entry that a unit works on
  // When the last stream began that took the shadow plane; long ago before the first.
  int64_t weights_taken_at_ = std::numeric_limits<int64_t>::min() / 2;
  std::unique_ptr<RaceChecker> races_;
  std::unique_ptr<ScratchpadOccupancy> occupancy_;  // of a run with a trace

  Sequencer sequencer_;
  Step step_;
  bool have_step_ = false;
  bool halted_ = false;
  int64_t command_at_ = 0;  // the command processor is free from here on
  int command_block_ = kBusy;
  uint32_t slot_ = 0;

  Counters counters_;
  std::vector<HandleCounters> profile_;
  std::unordered_map<uint32_t, uint32_t> slots_;
  uint32_t last_active_slot_ = 0;
  std::array<int64_t, kEngineCount> conflict_cycles_ = {};
  // By profile slot, what of conflict_cycles_ is its; and what units had lost to each other before the
  // present interval.
  std::vector<std::array<int64_t, kEngineCount>> slot_conflict_cycles_;
  std::array<int64_t, kUnitCount> lost_to_dram_ = {};
  std::array<int64_t, kUnitCount> lost_to_banks_ = {};
  std::vector<TraceSlice> trace_;
  std::optional<TraceSlice> open_mark_;  // what the command processor is dispatching
  std::optional<Error> error_;
  uint32_t failed_handle_ = 0;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_TIMED_RUN_H_
