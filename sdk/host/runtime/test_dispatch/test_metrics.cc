// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/metrics.h"
#include "sdk/host/runtime/test_dispatch/test_objects.h"

namespace npukit::test_dispatch {

LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext context, int detail_level) {
  if (!Invocations().contains(context))
    return Violation("start_metrics_collection: no such context");
  if (Fault("metrics_fail") || Fault(("metrics_fail of " + context->name).c_str()))
    return kLiteRtStatusErrorRuntimeFailure;
  if (context->metrics_level >= 0) return Violation("start_metrics_collection: started already");
  context->metrics_level = detail_level;
  context->metered_invokes = 0;
  return kLiteRtStatusOk;
}

namespace {

LiteRtMetric IntMetric(const char* name, int64_t value) {
  LiteRtMetric metric = {};
  metric.name = name;
  metric.value.type = kLiteRtAnyTypeInt;
  metric.value.int_value = value;
  return metric;
}

LiteRtMetric TextMetric(const char* name, const char* value) {
  LiteRtMetric metric = {};
  metric.name = name;
  metric.value.type = kLiteRtAnyTypeString;
  metric.value.str_value = value;
  return metric;
}

}  // namespace

LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext context, LiteRtDispatchMetrics* metrics) {
  if (!Invocations().contains(context))
    return Violation("stop_metrics_collection: no such context");
  if (context->metrics_level < 0) return Violation("stop_metrics_collection: not started");
  if (Fault("metrics_null")) {
    context->metrics_level = -1;
    *metrics = nullptr;
    return kLiteRtStatusOk;
  }
  *metrics = new LiteRtDispatchMetricsT;
  ++GlobalState()->live_metrics;
  auto& list = (*metrics)->metrics;
  list.push_back(TextMetric(Fault("metrics_unnamed") ? nullptr : NPUKIT_METRIC_SOC, "test_soc"));
  list.push_back(IntMetric(NPUKIT_METRIC_INVOCATIONS, context->metered_invokes));
  list.push_back(IntMetric(NPUKIT_METRIC_CYCLES, 100 * context->metered_invokes));
  list.push_back(IntMetric(NPUKIT_METRIC_MACS, 1000 * context->metered_invokes));
  list.push_back(IntMetric(NPUKIT_METRIC_ARRAY_MACS_PER_CYCLE, 16));
  if (context->metrics_level >= NPUKIT_METRICS_DETAIL_PER_OP)
    list.push_back(IntMetric("op/a/b/cycles", 60));
  if (context->metrics_level >= NPUKIT_METRICS_DETAIL_TRACE) {
    list.push_back(TextMetric(NPUKIT_METRIC_TRACE_EVENTS,
                              R"([{"ph":"X","name":"mul","ts":0,"dur":1.5,"tid":0}])"));
  }
  context->metrics_level = -1;
  return kLiteRtStatusOk;
}

LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count) {
  *count = static_cast<int>(metrics->metrics.size());
  return kLiteRtStatusOk;
}

LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric) {
  *metric = metrics->metrics[static_cast<size_t>(index)];
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics) {
  delete metrics;
  --GlobalState()->live_metrics;
  return kLiteRtStatusOk;
}

}  // namespace npukit::test_dispatch
