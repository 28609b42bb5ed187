// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a run cost, as the vendor's metrics tell, and how large what it ran is.

#ifndef NPUKIT_CONFORMANCE_OBSERVATION_RUN_COSTS_H_
#define NPUKIT_CONFORMANCE_OBSERVATION_RUN_COSTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace npukit::conformance {

// Of all of a model's partitions together. 0: not told.
struct RunCosts {
  uint64_t cycles = 0;
  uint64_t energy_pj = 0;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t module_bytes = 0;   // of each distinct compiled module once
  uint64_t other_metrics = 0;  // 32 bits that stand for the names and values of all other metrics

  static auto Fields(auto& self) {
    return std::tie(self.cycles, self.energy_pj, self.bytes_read, self.bytes_written,
                    self.module_bytes, self.other_metrics);
  }
  // Of another signature of the same model.
  void Add(const RunCosts& other);
  // Those that are told, by the names of their fields.
  std::vector<std::pair<std::string, double>> Numbers() const;
};

// The names of the fields, in their order.
inline constexpr std::string_view kRunCostNames[] = {
    "cycles", "energy_pj", "bytes_read", "bytes_written", "module_bytes", "other_metrics"};
// That of other_metrics where the metrics held a trace, too.
inline constexpr std::string_view kTracedMetrics = "traced_metrics";
// Whether the number is no quantity; of the others less is better.
constexpr bool IsDigest(std::string_view name) {
  return name == "other_metrics" || name == kTracedMetrics;
}

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_OBSERVATION_RUN_COSTS_H_
