// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <cstddef>
#include <memory>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_any.h"
#include "npukit/metrics.h"

class LiteRtDispatchMetricsT {
 public:
  int64_t invocations = 0;
  int64_t cycles = 0;
};

namespace npukit::conformance::mimic {
namespace {

LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext invocation, int detail_level) {
  if (!IsInvocation(invocation) || detail_level < 0) return kLiteRtStatusErrorInvalidArgument;
  invocation->runs_at_start = invocation->program->runs();
  return kLiteRtStatusOk;
}

LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext invocation, LiteRtDispatchMetrics* out) {
  if (!IsInvocation(invocation) || out == nullptr) return kLiteRtStatusErrorInvalidArgument;
  auto metrics = std::make_unique<LiteRtDispatchMetricsT>();
  metrics->invocations =
      static_cast<int64_t>(invocation->program->runs() - invocation->runs_at_start);
  // A cycle for every byte that goes in or out.
  int64_t bytes = 0;
  for (size_t i = 0; i < invocation->inputs.size(); ++i)
    bytes += static_cast<int64_t>(invocation->program->InputBytes(i));
  for (size_t i = 0; i < invocation->outputs.size(); ++i) {
    bytes += static_cast<int64_t>(invocation->program->OutputBytes(i));
  }
  metrics->cycles = metrics->invocations * bytes;
  static std::atomic<int64_t> measurements = 0;
  if (Has(Fault::cycles_vary)) metrics->cycles += ++measurements;
  *out = metrics.release();
  return kLiteRtStatusOk;
}

LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count) {
  if (metrics == nullptr || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = 2;
  return kLiteRtStatusOk;
}

LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric) {
  if (metrics == nullptr || metric == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if ((index < 0 || index > 1) && !Has(Fault::metric_index_unchecked))
    return kLiteRtStatusErrorIndexOOB;
  metric->name = index == 0 ? NPUKIT_METRIC_INVOCATIONS : NPUKIT_METRIC_CYCLES;
  metric->value.type = kLiteRtAnyTypeInt;
  metric->value.int_value = index == 0 ? metrics->invocations : metrics->cycles;
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics) {
  if (metrics == nullptr) return kLiteRtStatusErrorInvalidArgument;
  delete metrics;
  return kLiteRtStatusOk;
}

}  // namespace

void AddMetrics(LiteRtDispatchInterface& table) {
  table.start_metrics_collection = StartMetrics;
  table.stop_metrics_collection = StopMetrics;
  table.get_num_metrics = GetNumMetrics;
  table.get_metric = GetMetric;
  table.destroy_metrics = DestroyMetrics;
}

}  // namespace npukit::conformance::mimic
