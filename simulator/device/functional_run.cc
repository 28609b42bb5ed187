// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/functional_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/device/deadlock.h"
#include "simulator/device/semaphores.h"
#include "simulator/units/bad_index.h"

namespace acme {
namespace {

// Instructions that an engine may be behind the command processor: never fewer than the chip's queue
// holds, so that what ends in time ends here; more than most hold, since long turns are faster.
constexpr int64_t kLeastWindow = 256;

class FunctionalRun {
 public:
  FunctionalRun(const Program& program, const Hardware& hardware, Units& units,
                const RunOptions& options)
      : units_(units), options_(options), sequencer_(program) {
    for (Queue& queue : queues_)
      queue.ring.resize(std::max<size_t>(kLeastWindow, hardware.queue_depth));
  }

  // A program whose engines are ordered by semaphores has the same values whoever goes last; one with
  // a race gets wrong ones here, the same on every run with that engine last.
  Expected<RunResult> Run() {
    while (!halted_) {
      bool moved = Dispatch();
      moved = DrainAll() || moved;
      if (error_) return *error_;
      if (!moved) return Stuck();
    }
    RunResult result;
    result.counters.instructions = static_cast<int64_t>(sequencer_.StepsTaken());
    return result;
  }

  uint32_t FailedHandle() const { return failed_handle_; }

 private:
  struct Queued {
    Instr instr;
    Opcode opcode;
    uint32_t pc;
    uint32_t handle;
  };

  struct Queue {
    std::vector<Queued> ring;
    uint64_t begin = 0;
    uint64_t end = 0;

    bool Empty() const { return begin == end; }
    bool Full() const { return end - begin == ring.size(); }
    const Queued& Front() const { return ring[begin % ring.size()]; }
  };

  // An instruction takes the command processor a cycle, so a program with more of them than the
  // budget has cycles would exceed it in time, too. Looked at now and then.
  bool WithinBudget() {
    const uint64_t steps = sequencer_.StepsTaken();
    if (static_cast<int64_t>(steps) > options_.cycle_budget) {
      failed_handle_ = step_.handle;
      error_ =
          Error(ErrorCode::kCycleBudget,
                fmt::format("instruction {}: the program still runs after as many instructions "
                            "as its budget of {} cycles",
                            step_.pc, options_.cycle_budget),
                static_cast<int64_t>(step_.pc) * kInstructionBytes);
    } else if ((steps & 0xFF) == 0 && options_.cancel != nullptr &&
               options_.cancel->load(std::memory_order_relaxed)) {
      error_ = Error(ErrorCode::kCancelled, "the run was cancelled");
    }
    return !error_;
  }

  Error OverflowError(uint32_t pc, uint32_t handle) {
    failed_handle_ = handle;
    return Error(
        ErrorCode::kInvalidProgram,
        fmt::format("instruction {}: posts a semaphore above its maximum of {}", pc, kSemaphoreMax),
        static_cast<int64_t>(pc) * kInstructionBytes);
  }

  bool Empty() const {
    for (const Queue& queue : queues_) {
      if (!queue.Empty()) return false;
    }
    return true;
  }

  // Runs the command processor as far as it goes.
  bool Dispatch() {
    bool moved = false;
    while (!halted_ && !error_) {
      if (!have_step_) {
        have_step_ = sequencer_.Next(step_);
        if (!WithinBudget()) break;
      }
      const Engine engine = EngineOf(step_.opcode);
      if (engine == Engine::kCommand) {
        // A fence holds up the command processor alone: engines go on with what they have, and the
        // next turn looks again.
        const bool fence = step_.opcode == Opcode::kCpFence || step_.opcode == Opcode::kCpHalt;
        if (!MayGoOn(step_.instr->sync) || (fence && !Empty())) break;
        semaphores_.Take(step_.instr->sync);
        semaphores_.Post(step_.instr->sync);
        halted_ = step_.opcode == Opcode::kCpHalt;
      } else {
        Queue& queue = queues_[static_cast<int>(engine)];
        if (queue.Full()) break;
        // A copy, since the sequencer overwrites a resolved instruction at its next step.
        queue.ring[queue.end++ % queue.ring.size()] = {*step_.instr, step_.opcode, step_.pc,
                                                       step_.handle};
      }
      have_step_ = false;
      moved = true;
    }
    return moved;
  }

  // In time nobody is as far ahead as a long turn takes an engine: it waits until what it posted was taken.
  bool MayGoOn(const Sync& sync) const {
    return semaphores_.CanTake(sync) && semaphores_.CanPost(sync);
  }
  bool Overflows(const Sync& sync) const {
    return semaphores_.CanTake(sync) && !semaphores_.CanPost(sync);
  }

  // Until nobody can go on.
  bool DrainAll() {
    bool moved = false;
    while (DrainOthers() || Drain(static_cast<int>(options_.last), /*to_post=*/true)) moved = true;
    return moved;
  }
  bool DrainOthers() {
    bool moved = false;
    for (int e = 1; e < kEngineCount; ++e) {
      if (e != static_cast<int>(options_.last)) moved = Drain(e) || moved;
    }
    return moved;
  }

  // Runs one engine until a semaphore stops it, or until it has freed who may wait for it.
  bool Drain(int e, bool to_post = false) {
    bool moved = false;
    Queue& queue = queues_[e];
    while (!queue.Empty() && !error_ && MayGoOn(queue.Front().instr.sync)) {
      const Queued& head = queue.Front();
      semaphores_.Take(head.instr.sync);
      // The state before the instruction is what it works in: m.stream's `swap` looks into it, and
      // ApplyToState would have taken the shadow plane already.
      units_.Execute(head.instr, state_);
      if (units_.BadIndex()) {
        failed_handle_ = head.handle;
        error_ = BadIndexError(*units_.BadIndex(), head.pc, options_.HandleName(head.handle));
        return true;
      }
      ApplyToState(head.instr, state_);
      semaphores_.Post(head.instr.sync);
      const bool has_posted = head.instr.sync.post[0] != 0 || head.instr.sync.post[1] != 0;
      ++queue.begin;
      moved = true;
      if (to_post && has_posted) break;
    }
    return moved;
  }

  // Each waits for a post that could only come from one of those that wait, or from nobody; or nobody takes what one
  // posts.
  Error Stuck() {
    if (have_step_ && EngineOf(step_.opcode) == Engine::kCommand && Overflows(step_.instr->sync))
      return OverflowError(step_.pc, step_.handle);
    for (const Queue& queue : queues_) {
      if (!queue.Empty() && Overflows(queue.Front().instr.sync))
        return OverflowError(queue.Front().pc, queue.Front().handle);
    }
    std::string text = "deadlock";
    int64_t pc = 0;
    if (have_step_) {
      text += "; " + DescribeWaiting(Engine::kCommand, step_.pc, step_.opcode, step_.instr->sync,
                                     semaphores_, options_.HandleName(step_.handle));
      pc = step_.pc;
      failed_handle_ = step_.handle;
    }
    for (int e = 1; e < kEngineCount; ++e) {
      if (queues_[e].Empty()) continue;
      const Queued& head = queues_[e].Front();
      text += "; " + DescribeWaiting(static_cast<Engine>(e), head.pc, head.opcode, head.instr.sync,
                                     semaphores_, options_.HandleName(head.handle));
      pc = head.pc;
      failed_handle_ = head.handle;
    }
    return Error(ErrorCode::kDeadlock, text, pc * kInstructionBytes);
  }

  Units& units_;
  const RunOptions& options_;
  Sequencer sequencer_;
  EngineState state_;
  Semaphores semaphores_;
  Queue queues_[kEngineCount];
  Step step_;
  bool have_step_ = false;
  bool halted_ = false;
  std::optional<Error> error_;
  uint32_t failed_handle_ = 0;
};

}  // namespace

Expected<RunResult> RunFunctional(const Program& program, const Hardware& hardware, Units& units,
                                  const RunOptions& options, RunFailure* failure) {
  FunctionalRun run(program, hardware, units, options);
  Expected<RunResult> result = run.Run();
  if (!result && failure != nullptr) failure->handle = run.FailedHandle();
  return result;
}

}  // namespace acme
