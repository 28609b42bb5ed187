// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/instruction_fetch.h"

#include <algorithm>

#include "simulator/isa/instruction.h"
#include "simulator/isa/packing.h"

namespace acme {

InstructionFetch::InstructionFetch(const Hardware& hardware, const Program& program)
    : hardware_(hardware),
      program_(program),
      // Two blocks at least: the one that is walked, and the next one on its way.
      capacity_(static_cast<uint32_t>(
          std::max(hardware.loop_buffer_instructions, 2 * hardware.fetch_instructions))),
      ahead_(std::max(capacity_ / 2, static_cast<uint32_t>(hardware.fetch_instructions))) {
  high_ = requested_ = static_cast<uint32_t>(
      std::min<int64_t>({hardware.preloaded_instructions, capacity_, program.Size()}));
}

int64_t InstructionFetch::BytesBefore(uint32_t pc) const {
  return hardware_.packed_instructions ? int64_t{program_.PackedBytesBefore(pc)}
                                       : int64_t{pc} * kInstructionBytes;
}

InstructionCost InstructionFetch::BlockCost(uint32_t begin, uint32_t end) const {
  const int64_t burst = hardware_.dram_burst_bytes;
  // A burst that two blocks share comes with the first of them.
  const int64_t bursts =
      (BytesBefore(end) + burst - 1) / burst - (BytesBefore(begin) + burst - 1) / burst;
  InstructionCost cost;
  cost.dram_read_bytes = std::max<int64_t>(1, bursts) * burst;
  cost.dram_cycles =
      (cost.dram_read_bytes + hardware_.dram_bytes_per_cycle - 1) / hardware_.dram_bytes_per_cycle;
  cost.cycles = cost.dram_cycles;
  return cost;
}

// The walk goes straight on or, at cp.endloop, back: a loop longer than the buffer is what jumps. A
// pc that equals requested_ is no jump; the walk has only caught up with what was asked for.
void InstructionFetch::Seek(uint32_t pc) {
  if (pc >= low_ && pc <= requested_) return;
  // What is on its way to the bus cannot be called back: it takes its time and is thrown away.
  requests_.clear();
  drop_transfer_ = transferring_;
  const auto block = hardware_.packed_instructions
                         ? static_cast<uint32_t>(kPackedBlock)
                         : static_cast<uint32_t>(hardware_.fetch_instructions);
  low_ = high_ = requested_ = pc / block * block;
}

void InstructionFetch::Act(uint32_t pc, int64_t now, SharedResources& resources) {
  Seek(pc);
  if (transferring_ && resources.Active(Unit::kFetch) && resources.Done(Unit::kFetch)) {
    resources.Stop(Unit::kFetch);
    transferring_ = false;
    // A transfer that was under way when the walk jumped has no request any more.
    if (!drop_transfer_) {
      high_ = requests_.front().end;
      requests_.pop_front();
      // The oldest instructions make room.
      if (high_ - low_ > capacity_) low_ = high_ - capacity_;
    }
    drop_transfer_ = false;
  }
  const uint32_t block = static_cast<uint32_t>(hardware_.fetch_instructions);
  while (requested_ < program_.Size() && requested_ < pc + ahead_) {
    const uint32_t end = std::min(program_.Size(), requested_ + block);
    requests_.push_back({now + hardware_.dram_latency_cycles, end});
    requested_ = end;
  }
  if (!transferring_ && !requests_.empty() && requests_.front().ready_at <= now) {
    // Requests come in order and without gaps, so that the oldest one's instructions begin where
    // those in the buffer end.
    const InstructionCost cost = BlockCost(high_, requests_.front().end);
    bytes_fetched_ += cost.dram_read_bytes;
    resources.Start(Unit::kFetch, cost);
    transferring_ = true;
  }
}

int64_t InstructionFetch::NextEvent(const SharedResources&) const {
  if (transferring_ || requests_.empty()) return SharedResources::kNever;
  return requests_.front().ready_at;
}

}  // namespace acme
