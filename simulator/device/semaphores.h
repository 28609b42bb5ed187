// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The 63 counting semaphores.

#ifndef NPUKIT_SIMULATOR_DEVICE_SEMAPHORES_H_
#define NPUKIT_SIMULATOR_DEVICE_SEMAPHORES_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "simulator/isa/instruction.h"

namespace acme {

class Semaphores {
 public:
  // Whether both waits can be taken now.
  bool CanTake(const Sync& sync) const {
    const uint8_t a = sync.wait[0];
    const uint8_t b = sync.wait[1];
    if (a != 0 && a == b) return count_[a] >= 2;
    return (a == 0 || count_[a] > 0) && (b == 0 || count_[b] > 0);
  }
  void Take(const Sync& sync) {
    for (uint8_t s : sync.wait) {
      if (s != 0) --count_[s];
    }
  }
  // Whether there is room for both posts, once the waits are taken.
  bool CanPost(const Sync& sync) const {
    const auto after = [&](uint8_t s) {
      return count_[s] - (sync.wait[0] == s) - (sync.wait[1] == s) + (sync.post[0] == s) +
             (sync.post[1] == s);
    };
    return std::ranges::all_of(sync.post,
                               [&](uint8_t s) { return s == 0 || after(s) <= kSemaphoreMax; });
  }
  // False: a semaphore would exceed kSemaphoreMax.
  bool Post(const Sync& sync) {
    for (uint8_t s : sync.post) {
      if (s != 0 && ++count_[s] > kSemaphoreMax) return false;
    }
    return true;
  }
  int Count(uint8_t semaphore) const { return count_[semaphore]; }

 private:
  std::array<int, kSemaphoreCount> count_ = {};
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_SEMAPHORES_H_
