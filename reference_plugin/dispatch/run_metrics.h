// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Collects the driver's counters over several runs and names them as npukit/metrics.h says.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "npukit/dispatch_types.h"
#include "simulator/driver/acme_driver.h"

namespace acme::dispatch {

class RunMetrics {
 public:
  explicit RunMetrics(const AcmeDeviceInfo& device)
      : soc_(device.name),
        clock_mhz_(device.clock_mhz),
        peak_macs_per_cycle_(device.peak_macs_per_cycle),
        memory_bytes_per_cycle_(device.dram_bytes_per_cycle),
        scratchpad_bytes_(device.scratchpad_bytes) {}

  void AddRun(const AcmeCounters& counters);
  // `name` is the operation's: its output tensor. Operations without a name, or with the name of
  // another, go by their handles.
  void AddProfile(const std::string& name, const AcmeHandleProfile& profile);
  // Of the last run: a JSON array of Chrome trace events.
  void SetTrace(std::string json) { trace_ = std::move(json); }
  // Descriptions of chips like the device with twice as much of something, by what.
  void SetDoubled(std::map<std::string, std::string> soc_files) {
    doubled_soc_files_ = std::move(soc_files);
  }

  std::vector<npukit::Metric> Take() const;

 private:
  struct OpTotals {
    std::string key;
    uint64_t cycles = 0;
    uint64_t macs = 0;
    uint64_t array_macs = 0;
    double energy_pj = 0;
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    // [engine][stall]
    std::array<std::array<uint64_t, kAcmeStallCount>, kAcmeEngineCount> stall_cycles = {};
  };

  static void AddOp(const OpTotals& op, std::vector<npukit::Metric>& metrics);

  std::string soc_;
  int64_t clock_mhz_;
  int64_t peak_macs_per_cycle_;
  int64_t memory_bytes_per_cycle_;
  int64_t scratchpad_bytes_;
  uint64_t runs_ = 0;
  AcmeCounters total_ = {};
  std::vector<OpTotals> ops_;            // in the order of their first appearance
  std::map<uint32_t, size_t> op_index_;  // by handle
  std::set<std::string> keys_;
  std::string trace_;
  std::map<std::string, std::string> doubled_soc_files_;
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_
