// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/dispatch/client/dispatch_metrics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "npukit/metrics.h"

namespace npukit {
namespace {

std::optional<double> AsNumber(const DispatchMetrics::Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

// Properties of the device rather than counts.
bool AddsUp(std::string_view name) {
  return name != NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE && name != NPUKIT_METRIC_CLOCK_MHZ &&
         name != NPUKIT_METRIC_MEMORY_BYTES_PER_CYCLE && name != NPUKIT_METRIC_SCRATCHPAD_BYTES;
}

}  // namespace

double OpMetrics::Get(std::string_view field) const {
  for (const auto& [name, value] : fields) {
    if (name == field) return value;
  }
  return 0;
}

DispatchMetrics::Value DispatchMetrics::FromAny(const LiteRtAny& any) {
  switch (any.type) {
    case kLiteRtAnyTypeBool:
      return any.bool_value;
    case kLiteRtAnyTypeInt:
      return any.int_value;
    case kLiteRtAnyTypeReal:
      return any.real_value;
    case kLiteRtAnyTypeString:
      return std::string(any.str_value == nullptr ? "" : any.str_value);
    default:
      return std::monostate();
  }
}

void DispatchMetrics::Set(std::string_view name, Value value) {
  for (Metric& metric : metrics_) {
    if (metric.name == name) {
      metric.value = std::move(value);
      return;
    }
  }
  metrics_.push_back({std::string(name), std::move(value)});
}

const DispatchMetrics::Value* DispatchMetrics::Find(std::string_view name) const {
  for (const Metric& metric : metrics_) {
    if (metric.name == name) return &metric.value;
  }
  return nullptr;
}

std::optional<double> DispatchMetrics::Number(std::string_view name) const {
  const Value* value = Find(name);
  return value == nullptr ? std::nullopt : AsNumber(*value);
}

std::optional<uint64_t> DispatchMetrics::Count(std::string_view name) const {
  constexpr double kMost = 0x1p53;
  const std::optional<double> number = Number(name);
  if (!number || !(*number >= 0 && *number <= kMost)) return std::nullopt;
  return static_cast<uint64_t>(std::llround(*number));
}

std::optional<std::string> DispatchMetrics::Text(std::string_view name) const {
  const Value* value = Find(name);
  if (value == nullptr || !std::holds_alternative<std::string>(*value)) return std::nullopt;
  return std::get<std::string>(*value);
}

std::vector<OpMetrics> DispatchMetrics::PerOp() const {
  constexpr std::string_view kPrefix = NPUKIT_METRIC_OP_PREFIX;
  std::vector<OpMetrics> ops;
  for (const Metric& metric : metrics_) {
    const std::string_view name = metric.name;
    const size_t last = name.rfind('/');
    const std::optional<double> number = AsNumber(metric.value);
    if (!name.starts_with(kPrefix) || last < kPrefix.size() || !number) continue;
    const std::string_view key = name.substr(kPrefix.size(), last - kPrefix.size());
    auto at =
        std::find_if(ops.begin(), ops.end(), [&](const OpMetrics& op) { return op.key == key; });
    if (at == ops.end())
      at = ops.insert(ops.end(), OpMetrics{.key = std::string(key), .fields = {}});
    at->fields.emplace_back(name.substr(last + 1), *number);
  }
  return ops;
}

void DispatchMetrics::Merge(const DispatchMetrics& other) {
  for (const Metric& metric : other.metrics_) {
    const Value* mine = Find(metric.name);
    if (mine == nullptr) {
      Set(metric.name, metric.value);
      continue;
    }
    if (!AddsUp(metric.name)) continue;
    if (std::holds_alternative<int64_t>(*mine) && std::holds_alternative<int64_t>(metric.value)) {
      Set(metric.name, std::get<int64_t>(*mine) + std::get<int64_t>(metric.value));
    } else if (AsNumber(*mine) && AsNumber(metric.value)) {
      Set(metric.name, *AsNumber(*mine) + *AsNumber(metric.value));
    }
  }
}

}  // namespace npukit
