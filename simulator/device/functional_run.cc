// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/functional_run.h"

#include <deque>

#include "simulator/device/semaphores.h"
#include "simulator/isa/info.h"

namespace acme {
namespace {

// Instructions that an engine may be behind the command processor.
constexpr size_t kWindow = 256;

class FunctionalRun {
 public:
  FunctionalRun(const Program& program, Executor& executor, const RunOptions& options)
      : executor_(executor), options_(options), sequencer_(program) {}

  Expected<RunResult> Run() {
    uint64_t turns = 0;
    while (!halted_) {
      bool moved = Dispatch();
      for (int e = 1; e < kEngineCount; ++e) moved = Drain(e) || moved;
      if (error_) return *error_;
      if (!moved) return Stuck();
      if ((++turns & 0xFF) == 0 && options_.cancel != nullptr &&
          options_.cancel->load(std::memory_order_relaxed)) {
        return Error(ErrorCode::kCancelled, "the run was cancelled");
      }
    }
    RunResult result;
    result.counters.instructions = static_cast<int64_t>(sequencer_.StepsTaken());
    return result;
  }

  uint32_t FailedHandle() const { return failed_handle_; }

 private:
  struct Queued {
    Instr instr;
    uint32_t pc;
    uint32_t handle;
  };

  bool Post(const Sync& sync, uint32_t pc, uint32_t handle) {
    if (semaphores_.Post(sync)) return true;
    failed_handle_ = handle;
    error_ =
        Error(ErrorCode::kInvalidProgram,
              "instruction " + std::to_string(pc) + ": posts a semaphore above its maximum of 255",
              static_cast<int64_t>(pc) * kInstructionBytes);
    return false;
  }

  bool Empty() const {
    for (const auto& queue : queues_) {
      if (!queue.empty()) return false;
    }
    return true;
  }

  // Runs the command processor as far as it goes.
  bool Dispatch() {
    bool moved = false;
    while (!halted_ && !error_) {
      if (!have_step_) have_step_ = sequencer_.Next(step_);
      const Engine engine = EngineOf(step_.opcode);
      if (engine == Engine::kCommand) {
        const bool fence = step_.opcode == Opcode::kCpFence || step_.opcode == Opcode::kCpHalt;
        if (!semaphores_.CanTake(step_.instr->sync) || (fence && !Empty())) break;
        semaphores_.Take(step_.instr->sync);
        Post(step_.instr->sync, step_.pc, step_.handle);
        halted_ = step_.opcode == Opcode::kCpHalt;
      } else {
        std::deque<Queued>& queue = queues_[static_cast<int>(engine)];
        if (queue.size() >= kWindow) break;
        queue.push_back({*step_.instr, step_.pc, step_.handle});
      }
      have_step_ = false;
      moved = true;
    }
    return moved;
  }

  // Runs one engine until a semaphore stops it.
  bool Drain(int e) {
    bool moved = false;
    std::deque<Queued>& queue = queues_[e];
    while (!queue.empty() && !error_ && semaphores_.CanTake(queue.front().instr.sync)) {
      const Queued& head = queue.front();
      semaphores_.Take(head.instr.sync);
      executor_.Execute(head.instr, state_);
      ApplyToState(head.instr, state_);
      Post(head.instr.sync, head.pc, head.handle);
      queue.pop_front();
      moved = true;
    }
    return moved;
  }

  Error Stuck() {
    std::string text = "deadlock";
    int64_t pc = have_step_ ? step_.pc : 0;
    for (int e = 1; e < kEngineCount; ++e) {
      if (queues_[e].empty()) continue;
      const Queued& head = queues_[e].front();
      text += "; " + std::string(NameOfEngine(e)) + ": instruction " + std::to_string(head.pc);
      for (uint8_t s : head.instr.sync.wait) {
        if (s != 0)
          text += " waits for semaphore " + std::to_string(s) + " (is " +
                  std::to_string(semaphores_.Count(s)) + ")";
      }
      pc = head.pc;
      failed_handle_ = head.handle;
    }
    return Error(ErrorCode::kDeadlock, text, pc * kInstructionBytes);
  }

  Executor& executor_;
  const RunOptions& options_;
  Sequencer sequencer_;
  EngineState state_;
  Semaphores semaphores_;
  std::deque<Queued> queues_[kEngineCount];
  Step step_;
  bool have_step_ = false;
  bool halted_ = false;
  std::optional<Error> error_;
  uint32_t failed_handle_ = 0;
};

}  // namespace

Expected<RunResult> RunFunctional(const Program& program, const Hardware&, Executor& executor,
                                  const RunOptions& options, RunFailure* failure) {
  FunctionalRun run(program, executor, options);
  Expected<RunResult> result = run.Run();
  if (!result && failure != nullptr) failure->handle = run.FailedHandle();
  return result;
}

}  // namespace acme
