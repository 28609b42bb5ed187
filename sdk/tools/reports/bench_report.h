// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What npukit bench prints, worked out from a runner's steps and its dispatch libraries' metrics.
// Pure.

#ifndef NPUKIT_SDK_TOOLS_REPORTS_BENCH_REPORT_H_
#define NPUKIT_SDK_TOOLS_REPORTS_BENCH_REPORT_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit::tools {

// Per inference. A field that no library reported is empty.
struct BenchReport {
  struct PerOp {
    std::string name;
    std::string op;  // of CPU ops; empty on the NPU, whose library names ops only
    Target target = Target::kCpu;
    int partition = -1;
    std::optional<double> cycles;
    std::optional<double> macs;
    std::optional<double> utilisation;
    std::optional<double> roofline_cycles;
    std::optional<double> energy_pj;
    std::optional<double> host_us;  // of CPU ops
  };
  std::string soc;
  std::optional<double> cycles;
  std::optional<double> macs;
  std::optional<double>
      array_macs;  // what the arrays did; `macs` where no library tells them apart
  std::optional<double> array_macs_per_cycle;
  std::optional<double> utilisation;
  std::optional<double> roofline_cycles;
  std::optional<double> energy_pj;
  std::optional<double> bytes_read;  // from the NPU's DRAM
  std::optional<double> bytes_written;
  std::optional<double> clock_mhz;
  double cpu_macs = 0;
  double npu_mac_fraction = 0;  // 0 if nothing multiplies
  double host_median_ms = 0;
  double host_min_ms = 0;
  std::vector<PerOp> per_op;         // in order of execution
  std::vector<std::string> missing;  // partitions that reported no cycles
};

// `metrics` and `times` have one entry per step; `run_ms` one per timed run, at least one.
BenchReport MakeBenchReport(std::span<const StepInfo> steps, std::span<const StepTime> times,
                            std::span<const DispatchMetrics> metrics, std::vector<double> run_ms);

// Adds soc, cycles, macs, ... per_op[] to `report`.
void AddBenchJson(const BenchReport& bench, nlohmann::ordered_json& report);
std::string BenchText(const BenchReport& bench);

}  // namespace npukit::tools

#endif  // NPUKIT_SDK_TOOLS_REPORTS_BENCH_REPORT_H_
