// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Beginning and completing instructions.

#include <algorithm>

#include "simulator/device/timed_run.h"
#include "simulator/isa/info.h"
#include "simulator/units/bad_index.h"

namespace acme {
namespace {

// Whether a stream takes the weights of the shadow plane.
bool TakesWeights(const Instr& instr) {
  if (const auto* stream = std::get_if<isa::MStream>(&instr.op)) return stream->swap;
  if (const auto* conv = std::get_if<isa::MConv>(&instr.op)) return conv->swap;
  return false;
}

}  // namespace

bool TimedRun::StreamMayStart(const EngineUnit& unit, bool swap) const {
  if (resources_.Active(Unit::kStreamPort)) return false;
  // The weights that it takes must have arrived.
  if (swap && resources_.Active(Unit::kWeightPort)) return false;
  // Without `overlap` new weights wait until all results of the old ones have left the array. Rows
  // for the weights that are there already follow each other as they do with it.
  return hardware_.overlap || unit.in_flight.Empty() || !swap;
}

bool TimedRun::LoadMayStart(const EngineUnit& unit) const {
  if (resources_.Active(Unit::kWeightPort)) return false;
  // The stream that took the last weights has begun, since it comes earlier in the program.
  if (now_ < weights_taken_at_ + hardware_.weight_swap_cycles) return false;
  if (hardware_.double_buffered_weights) return true;
  // The only plane: new weights go down the array right behind the last row of activations.
  return hardware_.overlap ? !resources_.Active(Unit::kStreamPort) : unit.in_flight.Empty();
}

// Sums of float32 go through an array of blocks otherwise than those of integers: the last ones must
// have left.
bool TimedRun::MayChangeType(const EngineUnit& unit, const isa::MType& type) const {
  const bool blocks = hardware_.row_groups * hardware_.col_groups > 1;
  const bool changes = (type.act == Dtype::kF32) != (state_.matrix.type.act == Dtype::kF32);
  return !blocks || !changes || unit.in_flight.Empty();
}

// Whether the head's unit can take it now; its semaphores are checked before.
bool TimedRun::MayIssue(Engine engine, const EngineUnit& unit, const Queued& head) const {
  if (unit.in_flight.Full()) return false;
  if (const auto* type = std::get_if<isa::MType>(&head.instr.op)) return MayChangeType(unit, *type);
  if (IsConfiguration(head.opcode)) return true;
  // Its indices may be what an earlier transfer of the engine brings.
  if (head.opcode == Opcode::kLdGather && unit.transfers > 0) return false;
  switch (engine) {
    case Engine::kLoad:
    case Engine::kStore:
      return unit.transfers < hardware_.dma_outstanding;
    case Engine::kVector:
      return !resources_.Active(Unit::kVector);
    default:
      break;
  }
  switch (head.opcode) {
    case Opcode::kMLoadW:
      return LoadMayStart(unit);
    default:
      return StreamMayStart(unit, TakesWeights(head.instr));
  }
}

void TimedRun::Account(Engine engine, const Queued& head, const InstructionCost& cost) {
  const int e = static_cast<int>(engine);
  const double energy_pj = EnergyOf(cost, hardware_);
  const int64_t array_macs = engine == Engine::kMatrix ? cost.macs : 0;
  counters_.macs += cost.macs;
  counters_.array_macs += array_macs;
  counters_.vector_elems += cost.vector_elems;
  counters_.dram_read_bytes += cost.dram_read_bytes;
  counters_.dram_write_bytes += cost.dram_write_bytes;
  counters_.scratchpad_bytes += cost.scratchpad_bytes;
  counters_.accumulator_bytes += cost.accumulator_bytes;
  counters_.energy_pj += energy_pj;
  ++counters_.engine_instructions[e];
  if (head.opcode != Opcode::kMLoadW) conflict_cycles_[e] += cost.bank_conflict_cycles;
  if (!options_.profile) return;
  HandleCounters& handle = profile_[head.slot];
  if (head.opcode != Opcode::kMLoadW) {
    handle.busy_cycles[e] += cost.cycles;
    slot_conflict_cycles_[head.slot][e] += cost.bank_conflict_cycles;
  }
  ++handle.instructions;
  handle.macs += cost.macs;
  handle.array_macs += array_macs;
  handle.dram_bytes += cost.dram_read_bytes + cost.dram_write_bytes;
  handle.dram_read_bytes += cost.dram_read_bytes;
  handle.energy_pj += energy_pj;
}

bool TimedRun::Issue(Engine engine) {
  EngineUnit& unit = At(engine);
  const Queued& head = unit.Head();
  // One instruction a cycle; but a load may begin beside the stream that has just taken the plane.
  const bool beside_stream = head.opcode == Opcode::kMLoadW && weights_taken_at_ == now_ &&
                             hardware_.weight_swap_cycles == 0;
  if (now_ < unit.issue_at && !beside_stream) return false;
  if (!semaphores_.CanTake(head.instr.sync) || !MayIssue(engine, unit, head)) return false;
  semaphores_.Take(head.instr.sync);

  uint32_t race_number = 0;
  if (races_) {
    race_number = races_->Begin(engine, head.instr.sync, head.clock, head.pc, head.handle);
    if (std::optional<std::string> race = races_->CheckAccesses(engine, head.instr, state_)) {
      Fail(ErrorCode::kRace, head.pc, head.handle, *race);
      return false;
    }
  }
  unit.issue_at = now_ + 1;
  bool goes_on = false;
  if (IsConfiguration(head.opcode)) {
    BeginConfiguration(unit, head, race_number);
  } else {
    goes_on = BeginWork(engine, head, race_number);
    if (error_) return false;
  }
  ApplyToState(head.instr, state_);
  ++unit.front;
  return goes_on;
}

InFlightInstr& TimedRun::PushInFlight(EngineUnit& unit, const Queued& head,
                                      uint32_t race_number) const {
  InFlightInstr& entry = unit.in_flight.Push();
  entry.sync = head.instr.sync;
  entry.opcode = head.opcode;
  entry.pc = head.pc;
  entry.handle = head.handle;
  entry.slot = head.slot;
  entry.race_number = race_number;
  entry.begin_at = now_;
  return entry;
}

// Stands among the instructions in flight only if it posts, for nobody else can tell when it is
// complete.
void TimedRun::BeginConfiguration(EngineUnit& unit, const Queued& head, uint32_t race_number) {
  Account(EngineOf(head.opcode), head, InstructionCost{});
  const Sync& sync = head.instr.sync;
  if (sync.post[0] == 0 && sync.post[1] == 0) return;
  PushInFlight(unit, head, race_number).done_at = now_ + 1;
}

// Values are there from the first cycle on, not when the last result leaves the unit: who could see
// that reads without a semaphore, which the race checker finds.
bool TimedRun::BeginWork(Engine engine, const Queued& head, uint32_t race_number) {
  EngineUnit& unit = At(engine);
  InFlightInstr& entry = PushInFlight(unit, head, race_number);
  entry.cost = EstimateInstruction(head.instr, state_, hardware_);
  Account(engine, head, entry.cost);
  if (occupancy_) occupancy_->Begin(now_, head.instr, state_);
  if (units_ != nullptr) units_->Execute(head.instr, state_);
  if (units_ != nullptr && units_->BadIndex()) {
    failed_handle_ = head.handle;
    error_ = BadIndexError(*units_->BadIndex(), head.pc, options_.HandleName(head.handle));
    return false;
  }
  if (engine == Engine::kLoad || engine == Engine::kStore) {
    entry.transfer = true;
    entry.ready_at = now_ + hardware_.dma_setup_cycles +
                     (engine == Engine::kLoad ? hardware_.dram_latency_cycles : 0);
    unit.issue_at = now_ + std::max<int64_t>(1, hardware_.dma_setup_cycles);
    ++unit.transfers;
    return entry.ready_at <= now_;
  }
  Unit which = Unit::kVector;
  if (engine == Engine::kMatrix)
    which = head.opcode == Opcode::kMLoadW ? Unit::kWeightPort : Unit::kStreamPort;
  const bool takes_weights = TakesWeights(head.instr);
  if (takes_weights) weights_taken_at_ = now_;
  entry.started = true;
  resources_.Start(which, entry.cost);
  unit_entry_[static_cast<int>(which)] = unit.in_flight.BackSequence() - 1;
  return takes_weights;
}

// DMA: the oldest transfer whose request has come back gets the data path.
void TimedRun::StartTransfers(Engine engine, Unit which) {
  EngineUnit& unit = At(engine);
  if (unit.transfers == 0 || resources_.Active(which)) return;
  uint64_t& next = unit.next_transfer;
  next = std::max(next, unit.in_flight.FrontSequence());
  // Configuration that posts stands between transfers and has no data to move.
  while (next < unit.in_flight.BackSequence() && !unit.in_flight.At(next).transfer) ++next;
  if (next >= unit.in_flight.BackSequence()) return;
  InFlightInstr& entry = unit.in_flight.At(next);
  if (entry.ready_at > now_) return;
  entry.started = true;
  entry.begin_at = now_;
  resources_.Start(which, entry.cost);
  unit_entry_[static_cast<int>(which)] = next++;
}

void TimedRun::FinishUnit(Engine engine, Unit which) {
  if (!resources_.Active(which) || !resources_.Done(which)) return;
  resources_.Stop(which);
  InFlightInstr& entry = At(engine).in_flight.At(unit_entry_[static_cast<int>(which)]);
  entry.done_at = now_ + entry.cost.tail_cycles +
                  (which == Unit::kStoreData ? hardware_.dram_latency_cycles : 0);
}

void TimedRun::FinishUnits() {
  FinishUnit(Engine::kLoad, Unit::kLoadData);
  FinishUnit(Engine::kMatrix, Unit::kWeightPort);
  FinishUnit(Engine::kMatrix, Unit::kStreamPort);
  FinishUnit(Engine::kVector, Unit::kVector);
  FinishUnit(Engine::kStore, Unit::kStoreData);
}

void TimedRun::Complete(Engine engine) {
  EngineUnit& unit = At(engine);
  while (MayComplete(unit)) {
    const InFlightInstr& entry = unit.in_flight.Front();
    if (races_) races_->Post(engine, entry.race_number, entry.sync);
    if (!semaphores_.Post(entry.sync)) {
      Fail(ErrorCode::kInvalidProgram, entry.pc, entry.handle,
           "posts a semaphore above its maximum of 255");
    }
    if (entry.transfer) --unit.transfers;
    if (options_.trace && entry.started) {
      trace_.push_back({entry.pc, entry.handle, engine, static_cast<uint8_t>(entry.opcode),
                        entry.begin_at, entry.done_at,
                        entry.cost.dram_read_bytes + entry.cost.dram_write_bytes, entry.cost.macs});
    }
    unit.in_flight.Pop();
  }
}

}  // namespace acme
