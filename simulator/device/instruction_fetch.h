// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command processor's instruction buffer: fetches blocks of instructions from DRAM ahead of the
// walk and keeps those just executed, so that a loop that fits is fetched once. Some are there from the
// beginning, where the hardware has it so.

#ifndef NPUKIT_SIMULATOR_DEVICE_INSTRUCTION_FETCH_H_
#define NPUKIT_SIMULATOR_DEVICE_INSTRUCTION_FETCH_H_

#include <cstdint>
#include <deque>

#include "simulator/device/shared_resources.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/sequencer.h"

namespace acme {

class InstructionFetch {
 public:
  InstructionFetch(const Hardware& hardware, const Program& program);

  // Whether instruction pc is in the buffer.
  bool Available(uint32_t pc) const { return pc >= low_ && pc < high_; }

  // Requests blocks that there is room for, given that pc is next; starts and ends transfers. A pc
  // outside what is buffered or on its way empties the buffer and starts over there.
  void Update(uint32_t pc, int64_t now, SharedResources& resources) {
    if (!Rests(pc, now, resources)) Act(pc, now, resources);
  }

  // When the oldest request's data may begin to move; kNever when that is not what the fetch waits
  // for.
  int64_t NextEvent(const SharedResources& resources) const;

  int64_t BytesFetched() const { return bytes_fetched_; }

 private:
  struct Request {
    int64_t ready_at;
    uint32_t end;  // instructions up to here arrive with it
  };

  // Whether there is nothing to do, which is so at most events.
  bool Rests(uint32_t pc, int64_t now, const SharedResources& resources) const {
    const bool asked = requested_ == program_.Size() || requested_ >= pc + ahead_;
    const bool waits = transferring_ ? !resources.Done(Unit::kFetch)
                                     : requests_.empty() || requests_.front().ready_at > now;
    return pc >= low_ && pc <= requested_ && asked && waits;
  }
  void Act(uint32_t pc, int64_t now, SharedResources& resources);
  int64_t BytesBefore(uint32_t pc) const;
  InstructionCost BlockCost(uint32_t begin, uint32_t end) const;
  void Seek(uint32_t pc);

  const Hardware& hardware_;
  const Program& program_;
  uint32_t capacity_;
  // Half of the buffer, asked for beyond pc; the other half keeps the loop that is being walked.
  uint32_t ahead_;
  uint32_t low_ = 0;  // buffered: low_ .. high_-1
  uint32_t high_ = 0;
  uint32_t requested_ = 0;  // asked for up to here
  std::deque<Request> requests_;
  bool transferring_ = false;
  bool drop_transfer_ = false;
  int64_t bytes_fetched_ = 0;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_INSTRUCTION_FETCH_H_
