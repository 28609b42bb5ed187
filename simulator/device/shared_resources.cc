// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/shared_resources.h"

#include <algorithm>

namespace acme {

void SharedResources::Start(Unit unit, const InstructionCost& cost) {
  User& user = users_[Index(unit)];
  const int64_t cycles = std::max<int64_t>(1, cost.cycles);
  user.remaining = cycles << kBits;
  user.rate = kOne;
  user.words = (cost.scratchpad_words << kBits) / cycles;
  user.dram = (cost.dram_cycles << kBits) / cycles;
  active_ |= Bit(unit);
  words_ += user.words;
  dram_ += user.dram;
  Rebalance();
}

void SharedResources::Stop(Unit unit) {
  active_ &= ~Bit(unit);
  words_ -= users_[Index(unit)].words;
  dram_ -= users_[Index(unit)].dram;
  any_done_ = false;
  ForEachActive(active_, users_, [this](const User& user) { any_done_ |= user.remaining <= 0; });
  Rebalance();
}

void SharedResources::Rebalance() {
  // Mostly nobody is in another's way, and nobody was.
  const bool contended = words_ > capacity_ || dram_ > kOne;
  if (!contended && !slowed_) return;
  slowed_ = contended;
  // Demand above what there is slows all users of a resource by the same factor, never to a stop: a
  // rate of 0 would be a run without an end.
  const int64_t bank_rate =
      words_ > capacity_ ? std::max<int64_t>(1, (capacity_ << kBits) / words_) : kOne;
  const int64_t dram_rate = dram_ > kOne ? std::max<int64_t>(1, (kOne << kBits) / dram_) : kOne;
  ForEachActive(active_, users_, [&](User& user) {
    const int64_t by_banks = user.words > 0 ? bank_rate : kOne;
    const int64_t by_dram = user.dram > 0 ? dram_rate : kOne;
    // What is lost goes to the scarcer resource alone: with all of the other one the unit
    // would be no faster.
    user.rate = std::min(by_banks, by_dram);
    user.limited_by_dram = by_dram < by_banks;
  });
}

// Rounded up to whole cycles, so that what is due then has at most nothing left: Done() never asks
// for one more event because of a fraction.
int64_t SharedResources::NextDone(int64_t now) const {
  int64_t next = kNever;
  ForEachActive(active_, users_, [&](const User& user) {
    const int64_t up = user.remaining + user.rate - 1;
    // A shift is faster than a division.
    const int64_t cycles = user.rate == kOne ? up >> kBits : up / user.rate;
    next = std::min(next, now + std::max<int64_t>(0, cycles));
  });
  return next;
}

void SharedResources::Advance(int64_t cycles) {
  ForEachActive(active_, users_, [&](User& user) {
    user.remaining -= user.rate * cycles;
    any_done_ |= user.remaining <= 0;
    if (user.rate == kOne) return;
    const int64_t lost = (kOne - user.rate) * cycles;
    (user.limited_by_dram ? user.lost_dram : user.lost_banks) += lost;
  });
}

}  // namespace acme
