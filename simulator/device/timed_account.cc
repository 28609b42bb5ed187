// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the cycles went. Every interval between two events is given, for each engine, to "busy" or
// to one cause.

#include <algorithm>
#include <numeric>
#include <utility>

#include "simulator/device/timed_run.h"

namespace acme {
namespace {

// The unit that works for an engine's instructions, and may lose to others.
constexpr std::pair<Engine, Unit> kUsers[] = {{Engine::kLoad, Unit::kLoadData},
                                              {Engine::kMatrix, Unit::kStreamPort},
                                              {Engine::kVector, Unit::kVector},
                                              {Engine::kStore, Unit::kStoreData}};

}  // namespace

// Of the interval that begins now. One look is enough, and so is the same answer for the whole
// run's counters and for a handle's: Settle() has done all that can happen in this cycle, and the
// interval ends at the next event.
int TimedRun::Classify(Engine engine) const {
  const EngineUnit& unit = At(engine);
  const bool waits =
      !unit.Empty() && now_ >= unit.issue_at && !semaphores_.CanTake(unit.Head().instr.sync);
  const bool issuing = now_ < unit.issue_at;
  switch (engine) {
    case Engine::kCommand:
      return now_ < command_at_ ? kBusy : command_block_;
    case Engine::kLoad:
      if (resources_.Active(Unit::kLoadData)) return kBusy;
      if (unit.transfers > 0) return static_cast<int>(Stall::kDramLatency);
      break;
    case Engine::kMatrix:
      if (resources_.Active(Unit::kStreamPort)) return kBusy;
      if (waits) return static_cast<int>(Stall::kSemaphore);
      if (resources_.Active(Unit::kWeightPort)) return static_cast<int>(Stall::kWeights);
      if (!issuing && !unit.in_flight.Empty()) return static_cast<int>(Stall::kDrain);
      break;
    case Engine::kVector:
      if (resources_.Active(Unit::kVector)) return kBusy;
      break;
    case Engine::kStore:
      if (resources_.Active(Unit::kStoreData)) return kBusy;
      if (!waits && unit.transfers > 0) return static_cast<int>(Stall::kDramLatency);
      break;
  }
  if (issuing) return kBusy;
  return static_cast<int>(waits ? Stall::kSemaphore : Stall::kNoInstruction);
}

uint32_t TimedRun::SlotOf(uint32_t handle) {
  const auto [found, added] = slots_.try_emplace(handle, static_cast<uint32_t>(profile_.size()));
  if (added) {
    profile_.push_back(HandleCounters{.handle = handle});
    // By the same index as profile_.
    slot_conflict_cycles_.emplace_back();
  }
  return found->second;
}

// The profile slot that the present cycle counts for.
uint32_t TimedRun::ActiveSlot() const {
  auto of = [&](Engine engine, Unit unit) {
    return At(engine).in_flight.At(unit_entry_[static_cast<int>(unit)]).slot;
  };
  if (resources_.Active(Unit::kStreamPort)) return of(Engine::kMatrix, Unit::kStreamPort);
  if (resources_.Active(Unit::kVector)) return of(Engine::kVector, Unit::kVector);
  if (resources_.Active(Unit::kStoreData)) return of(Engine::kStore, Unit::kStoreData);
  if (resources_.Active(Unit::kLoadData)) return of(Engine::kLoad, Unit::kLoadData);
  return last_active_slot_;
}

void TimedRun::Advance(int64_t cycles) {
  if (cycles <= 0) return;
  std::array<int, kEngineCount> why;
  for (int e = 0; e < kEngineCount; ++e) {
    why[e] = Classify(static_cast<Engine>(e));
    if (why[e] == kBusy) {
      counters_.busy_cycles[e] += cycles;
    } else {
      counters_.stall_cycles[e][why[e]] += cycles;
    }
  }
  if (options_.profile) AccountHandle(cycles, why);
  resources_.Advance(cycles);
  if (options_.profile) AccountLosses();
  now_ += cycles;
}

// The interval's cycles, and why engines stood still in them, for the handle that it counts for.
void TimedRun::AccountHandle(int64_t cycles, const std::array<int, kEngineCount>& why) {
  last_active_slot_ = ActiveSlot();
  HandleCounters& handle = profile_[last_active_slot_];
  handle.cycles += cycles;
  for (int e = 0; e < kEngineCount; ++e) {
    if (why[e] != kBusy) handle.stall_cycles[e][why[e]] += cycles;
  }
}

// The command processor's slices: from one cp.mark to the next.
void TimedRun::TraceMark(const Step& step) {
  if (open_mark_) {
    open_mark_->end_cycle = now_;
    trace_.push_back(*open_mark_);
  }
  open_mark_ = TraceSlice{
      step.pc, step.handle, Engine::kCommand, static_cast<uint8_t>(step.opcode), now_, now_, 0, 0};
}

// What units lost to each other in the interval that has just passed.
void TimedRun::AccountLosses() {
  HandleCounters& handle = profile_[last_active_slot_];
  for (const auto& [engine, unit] : kUsers) {
    auto& stalls = handle.stall_cycles[static_cast<int>(engine)];
    const auto count = [&](Stall why, int64_t lost, int64_t& before) {
      stalls[static_cast<int>(why)] += lost - before;
      before = lost;
    };
    const int u = static_cast<int>(unit);
    count(Stall::kDramBandwidth, resources_.LostToDram(unit), lost_to_dram_[u]);
    count(Stall::kBankConflict, resources_.LostToBanks(unit), lost_to_banks_[u]);
  }
}

void TimedRun::ReportProfile(RunResult& result) {
  for (size_t slot = 0; slot < profile_.size(); ++slot) {
    HandleCounters& handle = profile_[slot];
    for (int e = 0; e < kEngineCount; ++e) {
      // Conflicts of instructions that ran in another handle's cycles are not of these cycles.
      auto& stalls = handle.stall_cycles[e];
      const int64_t stalled = std::accumulate(stalls.begin(), stalls.end(), int64_t{0});
      stalls[static_cast<int>(Stall::kBankConflict)] +=
          std::clamp(handle.cycles - stalled, int64_t{0}, slot_conflict_cycles_[slot][e]);
    }
  }
  std::erase_if(profile_,
                [](const HandleCounters& h) { return h.instructions == 0 && h.cycles == 0; });
  std::sort(profile_.begin(), profile_.end(),
            [](const HandleCounters& a, const HandleCounters& b) { return a.handle < b.handle; });
  result.profile = std::move(profile_);
}

RunResult TimedRun::Report() {
  if (open_mark_) {
    open_mark_->end_cycle = now_;
    trace_.push_back(*open_mark_);
  }
  counters_.cycles = now_;
  counters_.fetch_bytes = fetch_.BytesFetched();
  counters_.dram_read_bytes += counters_.fetch_bytes;
  counters_.energy_pj +=
      static_cast<double>(counters_.fetch_bytes) * hardware_.energy.dram_byte_pj +
      static_cast<double>(counters_.cycles) * hardware_.energy.static_pj_per_cycle +
      static_cast<double>(counters_.engine_instructions[0]) * hardware_.energy.instruction_pj;
  // What active units lost to others, or to their own access pattern, was counted as busy until
  // now.
  for (const auto& [engine, unit] : kUsers) {
    const int e = static_cast<int>(engine);
    auto move = [&](Stall why, int64_t cycles) {
      cycles = std::min(cycles, counters_.busy_cycles[e]);
      counters_.busy_cycles[e] -= cycles;
      counters_.stall_cycles[e][static_cast<int>(why)] += cycles;
    };
    move(Stall::kDramBandwidth, resources_.LostToDram(unit));
    move(Stall::kBankConflict, resources_.LostToBanks(unit) + conflict_cycles_[e]);
  }
  RunResult result;
  result.counters = counters_;
  if (options_.profile) ReportProfile(result);
  result.trace = std::move(trace_);
  if (occupancy_) result.scratchpad_levels = occupancy_->Take(now_);
  return result;
}

}  // namespace acme
