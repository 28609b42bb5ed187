// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_METRIC_SUM_H_
#define NPUKIT_INTERNAL_DISPATCH_METRIC_SUM_H_

// Metrics of several invocations that run as one.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "npukit/dispatch_types.h"
#include "npukit/internal/namespace.h"
#include "npukit/metrics.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

// False for properties of the device, and for the number of invocations, which are the graph's.
inline bool IsAddedUp(const std::string& name) {
  return name != NPUKIT_METRIC_INVOCATIONS && name != NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE &&
         name != NPUKIT_METRIC_CLOCK_MHZ && name != NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE &&
         name != NPUKIT_METRIC_SCRATCHPAD_BYTES;
}
// Adds the metric of a node to those of a graph, where a sum makes sense.
inline void AddMetric(std::vector<Metric>& all, Metric metric) {
  for (Metric& known : all) {
    if (known.name != metric.name) continue;
    if (!IsAddedUp(metric.name)) return;
    const auto* whole = std::get_if<int64_t>(&metric.value);
    const auto* real = std::get_if<double>(&metric.value);
    if (auto* sum = std::get_if<int64_t>(&known.value); sum != nullptr && whole != nullptr) {
      *sum += *whole;
    } else if (auto* real_sum = std::get_if<double>(&known.value);
               real_sum != nullptr && real != nullptr) {
      *real_sum += *real;
    }
    return;
  }
  all.push_back(std::move(metric));
}

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_METRIC_SUM_H_
