// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/counters.h"

namespace acme {

std::string_view NameOfStall(int stall) {
  static constexpr std::string_view kNames[] = {
#define ACME_STALL(Id, name, doc) name,
#include "simulator/device/stalls.def"
#undef ACME_STALL
  };
  static_assert(std::size(kNames) == kStallCount);
  return stall >= 0 && stall < kStallCount ? kNames[stall] : std::string_view();
}

std::string_view NameOfEngine(int engine) {
  static constexpr std::string_view kNames[] = {"command", "load", "matrix", "vector", "store"};
  static_assert(std::size(kNames) == kEngineCount);
  return engine >= 0 && engine < kEngineCount ? kNames[engine] : std::string_view();
}

}  // namespace acme
