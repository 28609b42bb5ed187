// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One model, run by AcmeCorp's plugin and by the CPU, with the race checker on.

#ifndef NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_
#define NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit {

struct OpCase {
  std::string name;
  std::function<void(ModelBuilder&)> build;  // null: the sample model of that name
  // Both 0: equal bytes. Else float32 results are at most so far apart: absolute + relative * |the
  // CPU's|; infinities and NaN are where the CPU has them.
  double absolute = 0;
  double relative = 0;
  bool check_races = true;  // slow where much memory is touched
  size_t partitions = 1;
  size_t cpu_ops = 0;  // between them
};

inline std::ostream& operator<<(std::ostream& out, const OpCase& test) { return out << test.name; }

// Expects that all ops run on the chip but those that the case says, in as many partitions as it says,
// twice with equal results, and that they equal the CPU's. A chip is a SoC model, or a file that describes one: "/...yaml".
void ExpectNpuEqualsCpu(const OpCase& test, const std::string& soc);

// A case on a SoC model. A suite of them is a class of its own:
//
//   class AcmeChains : public OnSoc {};
//   TEST_P(AcmeChains, EqualTheCpu) { ExpectNpuEqualsCpu(); }
//   INSTANTIATE_TEST_SUITE_P(Elementwise, AcmeChains, OnEverySoc(ChainCases()), OnSoc::Name);
class OnSoc : public testing::TestWithParam<std::tuple<OpCase, const char*>> {
 public:
  static std::string Name(const testing::TestParamInfo<ParamType>& info) {
    return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
  }

 protected:
  void ExpectNpuEqualsCpu() {
    npukit::ExpectNpuEqualsCpu(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
};

inline auto OnEverySoc(const std::vector<OpCase>& cases) {
  return testing::Combine(testing::ValuesIn(cases),
                          testing::Values("acme_a0", "acme_a1", "acme_a2"));
}

// Of one inference, all partitions together.
struct NpuCycles {
  double cycles = 0;
  double roofline_cycles = 0;
  double macs = 0;
  double array_macs = 0;
};
// Expects that all ops run on the chip; zeros after a failure, which is reported.
NpuCycles MeasureCycles(const OpCase& test, const std::string& soc);

// Expects that the plugin leaves every op to the CPU.
void ExpectDeclined(const OpCase& test, const std::string& soc);

}  // namespace npukit

#endif  // NPUKIT_REFERENCE_PLUGIN_TESTS_NPU_AND_CPU_H_
