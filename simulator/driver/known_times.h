// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What programs took when they ran in time. A program has no branch that depends on a value, so its walk, its cycles
// and all its counters are the same on every run: a later one needs the values alone.

#ifndef NPUKIT_SIMULATOR_DRIVER_KNOWN_TIMES_H_
#define NPUKIT_SIMULATOR_DRIVER_KNOWN_TIMES_H_

#include <cstddef>
#include <map>
#include <optional>

#include "simulator/device/simulation.h"

namespace acme {

// Of the programs of one entry point, by a number each. One thread at a time.
class KnownTimes {
 public:
  // What a run of the program with these options would report; nothing if it has to be simulated: no such run was
  // kept, or the options ask for a trace, for races, or for fewer cycles than it took.
  std::optional<RunResult> Find(size_t program, const RunOptions& options) const;

  // The result of a run in time that succeeded.
  void Keep(size_t program, const RunOptions& options, const RunResult& result);

 private:
  struct Known {
    RunResult result;
    bool has_profile = false;
  };
  std::map<size_t, Known> known_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DRIVER_KNOWN_TIMES_H_
