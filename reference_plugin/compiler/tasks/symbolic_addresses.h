// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Addresses in the scratchpad as lowering gives them, before scratchpad/ plans real ones.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_SYMBOLIC_ADDRESSES_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_SYMBOLIC_ADDRESSES_H_

#include <cstdint>

namespace acme::compiler {

// Each is given away once, so that a partition may have more of them than an instruction's field holds: there
// they stand modulo 2^32. Those below `lasting_end` are of values that every task may name; the others that
// a task names are less than 2^32 below `end`, and none of them is below `lasting_end` modulo 2^32.
struct SymbolicAddresses {
  static constexpr int64_t kPeriod = int64_t{1} << 32;
  int64_t lasting_end = 0;
  int64_t end = 0;  // of those that were given away before the task was made; 0: addresses are real

  // Of what stands in an instruction.
  int64_t Whole(int64_t address) const {
    if (end <= kPeriod || address < lasting_end) return address;
    const int64_t whole = end / kPeriod * kPeriod + address;
    return whole < end ? whole : whole - kPeriod;
  }
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_TASKS_SYMBOLIC_ADDRESSES_H_
