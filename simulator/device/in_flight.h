// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The instructions that one engine has begun and not completed, in order. Completion is in order:
// an instruction that is done early waits for those before it.

#ifndef NPUKIT_SIMULATOR_DEVICE_IN_FLIGHT_H_
#define NPUKIT_SIMULATOR_DEVICE_IN_FLIGHT_H_

#include <cstdint>
#include <vector>

#include "simulator/isa/instruction.h"
#include "simulator/timing/instruction_cost.h"

namespace acme {

struct InFlightInstr {
  Sync sync;
  uint32_t pc = 0;
  uint32_t handle = 0;
  uint32_t slot = 0;         // of the profile
  uint32_t race_number = 0;  // RaceChecker's number
  Opcode opcode = Opcode::kCpNop;
  bool transfer = false;  // DMA data still to move or moving
  bool started = false;   // its unit has begun
  int64_t begin_at = 0;
  int64_t ready_at = 0;  // DMA: data may move from here on
  int64_t done_at = -1;  // -1: not known yet
  InstructionCost cost;
};

// A ring; sequence numbers name entries.
class InFlightQueue {
 public:
  InFlightQueue() { ring_.reserve(kCapacity); }

  bool Empty() const { return front_ == back_; }
  bool Full() const { return back_ - front_ == kCapacity; }
  // A new entry at the end, as InFlightInstr{}.
  InFlightInstr& Push() {
    const uint64_t place = back_++ % kCapacity;
    // The first time around, entries are made as they are needed: most runs need few.
    if (place == ring_.size()) return ring_.emplace_back();
    return ring_[place] = {};
  }
  InFlightInstr& Front() { return ring_[front_ % kCapacity]; }
  const InFlightInstr& Front() const { return ring_[front_ % kCapacity]; }
  InFlightInstr& At(uint64_t sequence) { return ring_[sequence % kCapacity]; }
  const InFlightInstr& At(uint64_t sequence) const { return ring_[sequence % kCapacity]; }
  void Pop() { ++front_; }
  uint64_t FrontSequence() const { return front_; }
  uint64_t BackSequence() const { return back_; }

 private:
  static constexpr uint64_t kCapacity = 512;
  std::vector<InFlightInstr> ring_;
  uint64_t front_ = 0;
  uint64_t back_ = 0;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_IN_FLIGHT_H_
