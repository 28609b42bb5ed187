// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dispatch library reported about its invocations: names and values, copied out of the
// library's memory.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_METRICS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_METRICS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "litert/c/litert_any.h"

namespace npukit {

// One operation of the NPU's profile, from the metrics "op/KEY/FIELD".
struct OpMetrics {
  std::string key;
  std::vector<std::pair<std::string, double>> fields;
  // 0 if the library did not report it.
  double Get(std::string_view field) const;
};

class DispatchMetrics {
 public:
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;
  struct Metric {
    std::string name;
    Value value;
  };

  // Copies; pointers to void become monostate.
  static Value FromAny(const LiteRtAny& any);

  // In the library's order; a second metric of a name replaces the first.
  void Set(std::string_view name, Value value);
  const std::vector<Metric>& all() const { return metrics_; }
  bool empty() const { return metrics_.empty(); }

  // Null if there is none.
  const Value* Find(std::string_view name) const;
  // nullopt if there is none or it is no number.
  std::optional<double> Number(std::string_view name) const;
  // Rounded; nullopt also if it is negative, or too large for a double to hold it exactly.
  std::optional<uint64_t> Count(std::string_view name) const;
  std::optional<std::string> Text(std::string_view name) const;
  // In order of first appearance.
  std::vector<OpMetrics> PerOp() const;

  // Joins another partition's metrics: counts add up, npukit/metrics.h says which values do not; of
  // texts the first stays.
  void Merge(const DispatchMetrics& other);

 private:
  std::vector<Metric> metrics_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_METRICS_H_
