// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How much of the scratchpad holds something that is still needed, over a run: from the accesses that
// its instructions make, whatever program they are of.

#ifndef NPUKIT_SIMULATOR_DEVICE_SCRATCHPAD_OCCUPANCY_H_
#define NPUKIT_SIMULATOR_DEVICE_SCRATCHPAD_OCCUPANCY_H_

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/device/counters.h"
#include "simulator/hw/hardware.h"
#include "simulator/isa/engine_state.h"
#include "simulator/isa/footprint.h"

namespace acme {

// A block of the scratchpad is occupied from the first write of its contents to their last access;
// a write after a read begins new contents. What nobody reads counts from its first to its last
// write. An access is at the moment its instruction begins: bytes of a transfer under way count.
class ScratchpadOccupancy {
 public:
  static constexpr int64_t kBlockBytes = 32;

  explicit ScratchpadOccupancy(const Hardware& hardware);

  // An instruction begins; its accesses, in the state before it. In the order of `now`.
  void Begin(int64_t now, const Instr& instr, const EngineState& state);
  // The level after each cycle in which it changes, ascending; ends at 0, by `end_cycle`. Call once.
  std::vector<OccupancyLevel> Take(int64_t end_cycle);

 private:
  struct Block {
    int64_t written_at = -1;  // -1: holds nothing
    int64_t used_at = 0;      // the last access
    bool was_read = false;
  };

  void Touch(int64_t now, bool write, int64_t addr_bytes, int64_t bytes);
  void Close(Block& block);

  int64_t array_cols_;
  std::vector<Block> blocks_;
  std::map<int64_t, int64_t> changes_bytes_;  // by cycle
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_SCRATCHPAD_OCCUPANCY_H_
