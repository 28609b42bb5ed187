// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/shared_resources.h"

#include <algorithm>

namespace acme {

void SharedResources::Start(Unit unit, const InstructionCost& cost) {
  User& user = users_[Index(unit)];
  const int64_t cycles = std::max<int64_t>(1, cost.cycles);
  user.active = true;
  user.remaining = cycles << kBits;
  user.words = (cost.scratchpad_words << kBits) / cycles;
  user.dram = (cost.dram_cycles << kBits) / cycles;
  Rebalance();
}

void SharedResources::Stop(Unit unit) {
  users_[Index(unit)].active = false;
  Rebalance();
}

void SharedResources::Rebalance() {
  int64_t words = 0;
  int64_t dram = 0;
  for (const User& user : users_) {
    if (!user.active) continue;
    words += user.words;
    dram += user.dram;
  }
  // Demand above what there is slows all users of a resource by the same factor, never to a stop: a
  // rate of 0 would be a run without an end.
  const int64_t capacity = banks_ << kBits;
  const int64_t bank_rate =
      words > capacity ? std::max<int64_t>(1, (capacity << kBits) / words) : kOne;
  const int64_t dram_rate = dram > kOne ? std::max<int64_t>(1, (kOne << kBits) / dram) : kOne;
  for (User& user : users_) {
    const int64_t by_banks = user.words > 0 ? bank_rate : kOne;
    const int64_t by_dram = user.dram > 0 ? dram_rate : kOne;
    // What is lost goes to the scarcer resource alone: with all of the other one the unit
    // would be no faster.
    user.rate = std::min(by_banks, by_dram);
    user.limited_by_dram = by_dram < by_banks;
  }
}

// Rounded up to whole cycles, so that what is due then has at most nothing left: Done() never asks
// for one more event because of a fraction.
int64_t SharedResources::NextDone(int64_t now) const {
  int64_t next = kNever;
  for (const User& user : users_) {
    if (!user.active) continue;
    const int64_t up = user.remaining + user.rate - 1;
    // Mostly nobody is in its way, and a shift is faster than a division.
    const int64_t cycles = user.rate == kOne ? up >> kBits : up / user.rate;
    next = std::min(next, now + std::max<int64_t>(0, cycles));
  }
  return next;
}

void SharedResources::Advance(int64_t cycles) {
  for (User& user : users_) {
    if (!user.active) continue;
    user.remaining -= user.rate * cycles;
    const int64_t lost = (kOne - user.rate) * cycles;
    (user.limited_by_dram ? user.lost_dram : user.lost_banks) += lost;
  }
}

}  // namespace acme
