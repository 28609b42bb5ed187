// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_METRICS_H_
#define NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_METRICS_H_

#include <deque>
#include <string>
#include <string_view>

#include "litert/c/litert_metrics.h"

// A list of metrics that owns its names and strings.
class LiteRtMetricsT {
 public:
  void Clear() { metrics_.clear(); }

  // Copies the name, and a string value with it.
  void Add(std::string_view name, const LiteRtAny& value) {
    Metric& metric = metrics_.emplace_back();
    metric.name = name;
    metric.value = value;
    if (value.type == kLiteRtAnyTypeString && value.str_value != nullptr) {
      metric.text = value.str_value;
      metric.value.str_value = metric.text.c_str();
    }
  }

  size_t size() const { return metrics_.size(); }
  LiteRtMetric Get(size_t index) const {
    return {metrics_[index].name.c_str(), metrics_[index].value};
  }

 private:
  struct Metric {
    std::string name;
    std::string text;  // behind value.str_value
    LiteRtAny value;
  };
  std::deque<Metric> metrics_;  // elements stay where they are
};

#endif  // NPUKIT_SDK_HOST_C_API_COMPILED_MODEL_METRICS_H_
