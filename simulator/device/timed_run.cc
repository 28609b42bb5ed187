// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/timed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "simulator/device/deadlock.h"
#include "simulator/isa/info.h"

namespace acme {

TimedRun::TimedRun(const Program& program, const Hardware& hardware, Units* units,
                   const RunOptions& options)
    : program_(program),
      hardware_(hardware),
      units_(options.mode == RunMode::kTimeOnly ? nullptr : units),
      options_(options),
      resources_(hardware),
      fetch_(hardware, program),
      sequencer_(program) {
  for (EngineUnit& unit : engines_) unit.SetDepth(hardware.queue_depth);
  if (options.check_races)
    races_ = std::make_unique<RaceChecker>(hardware, options.buffer_bytes, options.handle_name);
  if (options.trace) occupancy_ = std::make_unique<ScratchpadOccupancy>(hardware);
  slot_ = SlotOf(0);
}

Expected<RunResult> TimedRun::Run() {
  int64_t events = 0;
  while (true) {
    Settle();
    if (error_) return *error_;
    if (halted_) break;
    // Not at each event: events are as short as a few nanoseconds.
    if ((++events & 0xFFF) == 0 && options_.cancel != nullptr &&
        options_.cancel->load(std::memory_order_relaxed)) {
      return Error(ErrorCode::kCancelled,
                   fmt::format("the run was cancelled after {} cycles", now_));
    }
    const int64_t next = NextEvent();
    if (next == SharedResources::kNever) return DeadlockError();
    if (next > options_.cycle_budget) {
      Fail(ErrorCode::kCycleBudget, step_.pc, step_.handle,
           fmt::format("the program still runs after its budget of {} cycles",
                       options_.cycle_budget));
      return *error_;
    }
    Advance(next - now_);
  }
  Advance(command_at_ - now_);
  return Report();
}

// Does everything that can be done in this cycle. What ends comes before what begins, so that a unit
// has no idle cycle between two instructions; and in an order in which each comes before what it lets
// go on: a result frees a semaphore, the instruction that waited begins and leaves its queue, and the
// command processor dispatches into the room. Once more only for what goes against that order.
void TimedRun::Settle() {
  bool again = true;
  while (again && !error_ && !halted_) {
    again = false;
    if (resources_.AnyDone()) FinishUnits();
    for (Engine engine : {Engine::kLoad, Engine::kMatrix, Engine::kVector, Engine::kStore}) {
      if (MayComplete(At(engine))) Complete(engine);
    }
    StartTransfers(Engine::kLoad, Unit::kLoadData);
    StartTransfers(Engine::kStore, Unit::kStoreData);
    for (Engine engine : {Engine::kLoad, Engine::kMatrix, Engine::kVector, Engine::kStore}) {
      if (MayBegin(At(engine))) again = Issue(engine) || again;
    }
    if (error_) return;
    FetchAhead();
    const Dispatched dispatched = Dispatch();
    if (dispatched == Dispatched::kNothing) continue;
    FetchAhead();
    again = again || dispatched == Dispatched::kWhatAnEngineMayBegin;
  }
}

bool TimedRun::Idle() const {
  for (int e = 1; e < kEngineCount; ++e) {
    if (!engines_[e].Empty() || !engines_[e].in_flight.Empty() || engines_[e].issue_at > now_)
      return false;
  }
  return true;
}

TimedRun::Dispatched TimedRun::Dispatch() {
  if (halted_ || now_ < command_at_) return Dispatched::kNothing;
  if (!have_step_) {
    if (!fetch_.Available(sequencer_.Pc())) {
      command_block_ = static_cast<int>(Stall::kNoInstruction);
      return Dispatched::kNothing;
    }
    have_step_ = sequencer_.Next(step_);
  }
  const Engine engine = EngineOf(step_.opcode);
  bool wakes = false;
  if (engine == Engine::kCommand) {
    if (!DispatchCommand(step_)) return Dispatched::kNothing;
    wakes = step_.instr->sync.post[0] != 0 || step_.instr->sync.post[1] != 0;
  } else {
    EngineUnit& unit = At(engine);
    if (unit.Full()) {
      command_block_ = static_cast<int>(Stall::kQueueFull);
      return Dispatched::kNothing;
    }
    wakes = unit.Empty();
    Queued& queued = unit.Push();
    queued.instr = *step_.instr;
    queued.opcode = step_.opcode;
    queued.pc = step_.pc;
    queued.handle = step_.handle;
    queued.slot = slot_;
    if (races_) queued.clock = races_->CommandClock();
  }
  have_step_ = false;
  command_at_ = now_ + 1;
  command_block_ = kBusy;
  ++counters_.instructions;
  return wakes ? Dispatched::kWhatAnEngineMayBegin : Dispatched::kAnInstruction;
}

bool TimedRun::DispatchCommand(const Step& step) {
  const Sync& sync = step.instr->sync;
  if (!semaphores_.CanTake(sync)) {
    command_block_ = static_cast<int>(Stall::kSemaphore);
    return false;
  }
  // The end of the program is a fence, too: its cycles are counted until everything is written.
  const bool fence = step.opcode == Opcode::kCpFence || step.opcode == Opcode::kCpHalt;
  if (fence && !Idle()) {
    command_block_ = static_cast<int>(Stall::kDrain);
    return false;
  }
  semaphores_.Take(sync);
  if (races_) {
    const uint32_t number =
        races_->Begin(Engine::kCommand, sync, races_->CommandClock(), step.pc, step.handle);
    if (fence) races_->Fence();
    races_->Post(Engine::kCommand, number, sync);
  }
  if (!semaphores_.Post(sync)) {
    Fail(ErrorCode::kInvalidProgram, step.pc, step.handle,
         "posts a semaphore above its maximum of 255");
  }
  if (step.opcode == Opcode::kCpMark) {
    slot_ = SlotOf(step.handle);
    if (options_.trace) TraceMark(step);
  }
  if (step.opcode == Opcode::kCpHalt) halted_ = true;
  ++counters_.engine_instructions[0];
  return true;
}

int64_t TimedRun::NextEvent() const {
  int64_t next = resources_.NextDone(now_);
  auto consider = [&](int64_t at) {
    // What is due by now Settle() has done, or it waits for something else that is an event of its
    // own.
    if (at > now_) next = std::min(next, at);
  };
  consider(command_at_);
  // When the next weights may come: no instruction in flight ends then, so no other event is there.
  consider(weights_taken_at_ + hardware_.weight_swap_cycles);
  for (int e = 1; e < kEngineCount; ++e) {
    const EngineUnit& unit = engines_[e];
    // Also an empty queue: a fence waits until the last configuration has taken its cycle.
    consider(unit.issue_at);
    if (!unit.in_flight.Empty()) consider(unit.in_flight.Front().done_at);
    if (unit.next_transfer < unit.in_flight.BackSequence())
      consider(unit.in_flight.At(unit.next_transfer).ready_at);
  }
  consider(fetch_.NextEvent(resources_));
  return next;
}

void TimedRun::Fail(ErrorCode code, uint32_t pc, uint32_t handle, const std::string& message) {
  if (error_) return;
  failed_handle_ = handle;
  std::string where = fmt::format("instruction {}", pc);
  if (pc < program_.Size()) where += fmt::format(" ({})", InfoOf(program_.OpcodeAt(pc)).mnemonic);
  const std::string name = options_.HandleName(handle);
  if (!name.empty()) where += " of " + name;
  error_ = Error(code, where + ": " + message, static_cast<int64_t>(pc) * kInstructionBytes);
}

Error TimedRun::DeadlockError() {
  std::string text = fmt::format("deadlock at cycle {}", now_);
  auto describe = [&](Engine engine, uint32_t pc, Opcode opcode, const Sync& sync,
                      uint32_t handle) {
    text +=
        "; " + DescribeWaiting(engine, pc, opcode, sync, semaphores_, options_.HandleName(handle));
  };
  int64_t pc = -1;
  if (have_step_) {
    describe(Engine::kCommand, step_.pc, step_.opcode, step_.instr->sync, step_.handle);
    pc = step_.pc;
    failed_handle_ = step_.handle;
  }
  for (int e = 1; e < kEngineCount; ++e) {
    if (engines_[e].Empty()) continue;
    const Queued& head = engines_[e].Head();
    describe(static_cast<Engine>(e), head.pc, head.opcode, head.instr.sync, head.handle);
    pc = head.pc;
    failed_handle_ = head.handle;
  }
  return Error(ErrorCode::kDeadlock, text, pc * kInstructionBytes);
}

}  // namespace acme
