// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Units that work at the same time share the DRAM interface and the scratchpad's banks. Each active
// unit has work in cycles at full speed, a share of DRAM and a number of scratchpad words a cycle;
// when demand exceeds what there is, all users of the resource slow down alike. Work and rates are
// fixed-point (1/65536), so results are the same everywhere.

#ifndef NPUKIT_SIMULATOR_DEVICE_SHARED_RESOURCES_H_
#define NPUKIT_SIMULATOR_DEVICE_SHARED_RESOURCES_H_

#include <array>
#include <bit>
#include <cstdint>

#include "simulator/hw/hardware.h"
#include "simulator/timing/instruction_cost.h"

namespace acme {

enum class Unit : uint8_t { kLoadData, kWeightPort, kStreamPort, kVector, kStoreData, kFetch };
inline constexpr int kUnitCount = 6;

class SharedResources {
 public:
  explicit SharedResources(const Hardware& hardware)
      : capacity_(hardware.scratchpad_banks << kBits) {}

  // Gives an idle unit work. Never call for an active one.
  void Start(Unit unit, const InstructionCost& cost);
  bool Active(Unit unit) const { return (active_ & Bit(unit)) != 0; }

  // The earliest cycle at which an active unit is done at present rates; kNever when none is
  // active.
  static constexpr int64_t kNever = int64_t{1} << 62;
  int64_t NextDone(int64_t now) const;
  // Whether the unit's work is done; the caller then calls Stop.
  bool Done(Unit unit) const { return users_[Index(unit)].remaining <= 0; }
  // Whether the work of any active unit is done.
  bool AnyDone() const { return any_done_; }
  void Stop(Unit unit);

  // Lets all active units work for so many cycles.
  void Advance(int64_t cycles);

  // Cycles (whole ones) that a unit lost so far to others on the banks and on DRAM.
  int64_t LostToBanks(Unit unit) const { return users_[Index(unit)].lost_banks >> kBits; }
  int64_t LostToDram(Unit unit) const { return users_[Index(unit)].lost_dram >> kBits; }

 private:
  static constexpr int kBits = 16;
  static constexpr int64_t kOne = int64_t{1} << kBits;
  static int Index(Unit unit) { return static_cast<int>(unit); }
  static unsigned Bit(Unit unit) { return 1u << Index(unit); }

  struct User {
    int64_t remaining = 0;  // fixed-point cycles at full rate
    int64_t rate = kOne;
    int64_t words = 0;  // fixed-point words a cycle
    int64_t dram = 0;   // fixed-point share of the bandwidth
    int64_t lost_banks = 0;
    int64_t lost_dram = 0;
    bool limited_by_dram = false;
  };

  void Rebalance();
  // Calls visit(user) for the active ones.
  template <class Users, class Visit>
  static void ForEachActive(unsigned active, Users& users, Visit&& visit) {
    for (; active != 0; active &= active - 1) visit(users[std::countr_zero(active)]);
  }

  int64_t capacity_;  // fixed-point words a cycle of all banks
  std::array<User, kUnitCount> users_;
  unsigned active_ = 0;  // a bit a unit
  // Of the active units together.
  int64_t words_ = 0;
  int64_t dram_ = 0;
  bool slowed_ = false;  // some active unit's rate is below kOne
  bool any_done_ = false;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_SHARED_RESOURCES_H_
