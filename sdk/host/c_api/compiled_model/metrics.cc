// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/compiled_model/metrics.h"

#include "litert/c/litert_metrics.h"

extern "C" {

LiteRtStatus LiteRtCreateMetrics(LiteRtMetrics* metrics) {
  if (!metrics) return kLiteRtStatusErrorInvalidArgument;
  *metrics = new LiteRtMetricsT();
  return kLiteRtStatusOk;
}

void LiteRtDestroyMetrics(LiteRtMetrics metrics) { delete metrics; }

LiteRtStatus LiteRtGetNumMetrics(LiteRtMetrics metrics, int* num_metrics) {
  if (!metrics || !num_metrics) return kLiteRtStatusErrorInvalidArgument;
  *num_metrics = static_cast<int>(metrics->size());
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetMetric(LiteRtMetrics metrics, int metric_index, LiteRtMetric* metric) {
  if (!metrics || !metric || metric_index < 0 ||
      static_cast<size_t>(metric_index) >= metrics->size()) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *metric = metrics->Get(static_cast<size_t>(metric_index));
  return kLiteRtStatusOk;
}

}  // extern "C"
