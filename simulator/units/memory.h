// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The memories that instructions act on.

#ifndef NPUKIT_SIMULATOR_UNITS_MEMORY_H_
#define NPUKIT_SIMULATOR_UNITS_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/units/zeroed_array.h"

namespace acme {

// Scratchpad and accumulators of one running program, and the DRAM buffers it was given. Nothing
// here checks bounds: the verifier did.
class Memory {
 public:
  explicit Memory(const Hardware& hardware)
      : scratchpad_(static_cast<size_t>(hardware.scratchpad_bytes + kSlackBytes)),
        accumulators_(static_cast<size_t>(hardware.accumulator_rows * hardware.array_cols)),
        array_cols_(hardware.array_cols) {}

  uint8_t* Scratchpad(int64_t addr_bytes = 0) { return scratchpad_.data() + addr_bytes; }
  const uint8_t* Scratchpad(int64_t addr_bytes = 0) const {
    return scratchpad_.data() + addr_bytes;
  }
  int32_t* AccumulatorRow(int64_t row) { return accumulators_.data() + row * array_cols_; }
  int64_t ArrayCols() const { return array_cols_; }

  // Buffers by binding number; not owned. Read-only ones are never written.
  std::vector<uint8_t*> buffers;

  // An index that was read and is none: the run ends.
  struct BadIndex {
    int64_t index = 0;
    int64_t position = 0;
    int64_t last = 0;
  };
  std::optional<BadIndex> bad_index;

  void Clear() {
    scratchpad_.Clear();
    accumulators_.Clear();
    bad_index.reset();
  }

 private:
  // Microkernels may load (never store) a vector beyond the last element.
  static constexpr int64_t kSlackBytes = 64;

  ZeroedArray<uint8_t> scratchpad_;
  ZeroedArray<int32_t> accumulators_;
  int64_t array_cols_;
};

// Unaligned element access.
template <class T>
T LoadAs(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <class T>
void StoreAs(uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_MEMORY_H_
