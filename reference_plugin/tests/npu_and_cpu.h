// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One model, run by AcmeCorp's plugin and by the CPU, with the race checker on.

#ifndef NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_
#define NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "sdk/host/model/model_builder.h"

namespace npukit {

struct OpCase {
  std::string name;
  std::function<void(ModelBuilder&)> build;
  // 0: equal bytes. Else float32 results are at most this far apart.
  double absolute = 0;
  bool check_races = true;  // slow where much memory is touched
};

inline std::ostream& operator<<(std::ostream& out, const OpCase& test) { return out << test.name; }

// Expects that all ops run on the chip, in one partition, twice with equal results, and that they
// equal the CPU's. A chip is a SoC model, or a file that describes one: "/...yaml".
void ExpectNpuEqualsCpu(const OpCase& test, const std::string& soc);

// Of one inference, all partitions together.
struct NpuCycles {
  double cycles = 0;
  double roofline_cycles = 0;
  double macs = 0;
};
// Expects that all ops run on the chip; zeros after a failure, which is reported.
NpuCycles MeasureCycles(const OpCase& test, const std::string& soc);

// Expects that the plugin leaves every op to the CPU.
void ExpectDeclined(const OpCase& test, const std::string& soc);

}  // namespace npukit

#endif  // NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_
