// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/known_times.h"

#include <utility>

namespace acme {

std::optional<RunResult> KnownTimes::Find(size_t program, const RunOptions& options) const {
  const auto found = known_.find(program);
  if (found == known_.end() || options.trace || options.check_races) return std::nullopt;
  const Known& known = found->second;
  if (options.profile && !known.has_profile) return std::nullopt;
  // What the run took with its last cycle: whether that one is within the budget is the simulation's to say.
  if (known.result.counters.cycles > options.cycle_budget) return std::nullopt;
  RunResult result{.counters = known.result.counters};
  if (options.profile) result.profile = known.result.profile;
  return result;
}

void KnownTimes::Keep(size_t program, const RunOptions& options, const RunResult& result) {
  Known& known = known_[program];
  // Equal but for the profile.
  if (known.has_profile && !options.profile) return;
  known.result = {.counters = result.counters, .profile = result.profile};
  known.has_profile = options.profile;
}

}  // namespace acme
