// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small machine with random contents, run under every set of kernels that this
// processor has.

#ifndef NPUKIT_SIMULATOR_UNITS_TESTING_UNIT_RIG_H_
#define NPUKIT_SIMULATOR_UNITS_TESTING_UNIT_RIG_H_

#include <functional>
#include <random>
#include <string>

#include "simulator/units/microkernels/microkernels.h"
#include "simulator/units/units.h"

namespace acme {

inline Hardware SmallHardware(int64_t rows = 32, int64_t cols = 32) {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.array_rows = rows;
  hw.array_cols = cols;
  hw.scratchpad_bytes = 1 << 16;
  hw.accumulator_rows = 512;
  return hw;
}

// Runs body once with each set of kernels, then selects the best again.
inline void ForAllKernels(const std::function<void(const std::string& name)>& body) {
  for (const Microkernels* kernels : AvailableMicrokernels()) {
    SelectMicrokernels(kernels->name);
    body(std::string(kernels->name));
  }
  SelectMicrokernels("best");
}

class UnitRig {
 public:
  explicit UnitRig(uint32_t seed, const Hardware& hw = SmallHardware())
      : hardware(hw), units(hw), random(seed) {
    std::uniform_int_distribution<int> byte(0, 255);
    for (int64_t i = 0; i < hw.scratchpad_bytes; ++i)
      *units.memory().Scratchpad(i) = static_cast<uint8_t>(byte(random));
    for (int64_t r = 0; r < hw.accumulator_rows; ++r) {
      for (int64_t c = 0; c < hw.array_cols; ++c)
        units.memory().AccumulatorRow(r)[c] = static_cast<int32_t>(random());
    }
  }

  int Pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  uint8_t* At(int64_t addr) { return units.memory().Scratchpad(addr); }
  // Random finite floats of moderate size.
  void FillFloats(int64_t addr, int64_t count) {
    std::uniform_real_distribution<float> value(-8.0f, 8.0f);
    for (int64_t i = 0; i < count; ++i) StoreAs(At(addr + 4 * i), value(random));
  }

  template <class I>
  void Do(const I& op) {
    const Instr instr{{}, op};
    units.Execute(instr, state);
    ApplyToState(instr, state);
  }

  Hardware hardware;
  Units units;
  EngineState state;
  std::mt19937 random;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_TESTING_UNIT_RIG_H_
