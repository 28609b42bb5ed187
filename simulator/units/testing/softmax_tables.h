// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SIMULATOR_UNITS_TESTING_SOFTMAX_TABLES_H_
#define NPUKIT_SIMULATOR_UNITS_TESTING_SOFTMAX_TABLES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {

// exp and 1 / (1 + x) as TFLite tabulates them for 16-bit softmax.
inline void WriteSoftmaxTables(UnitRig& rig, int64_t addr) {
  for (int i = 0; i < 513; ++i) {
    auto write = [&](int64_t at, double value) {
      StoreAs(rig.At(at + 2 * i),
              static_cast<int16_t>(std::clamp(std::round(value * 32768), -32768.0, 32767.0)));
    };
    write(addr, std::exp(-10.0 + 10.0 * i / 512));
    write(addr + 2 * 513, 1 / (1 + i / 512.0));
  }
}

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_UNITS_TESTING_SOFTMAX_TABLES_H_
