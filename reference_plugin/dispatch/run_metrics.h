// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Collects the driver's counters over several runs and names them as npukit/metrics.h says.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_

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
        peak_macs_per_cycle_(device.peak_macs_per_cycle) {}

  void AddRun(const AcmeCounters& counters);
  // `name` is the operation's: its output tensor. Operations without a name, or with the name of
  // another, go by their handles.
  void AddProfile(const std::string& name, const AcmeHandleProfile& profile);
  // Of the last run: a JSON array of Chrome trace events.
  void SetTrace(std::string json) { trace_ = std::move(json); }

  std::vector<npukit::Metric> Take() const;

 private:
  struct OpTotals {
    std::string key;
    uint64_t cycles = 0;
    uint64_t macs = 0;
    double energy_pj = 0;
  };

  std::string soc_;
  int64_t clock_mhz_;
  int64_t peak_macs_per_cycle_;
  uint64_t runs_ = 0;
  AcmeCounters total_ = {};
  std::vector<OpTotals> ops_;            // in the order of their first appearance
  std::map<uint32_t, size_t> op_index_;  // by handle
  std::set<std::string> keys_;
  std::string trace_;
};

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_RUN_METRICS_H_
