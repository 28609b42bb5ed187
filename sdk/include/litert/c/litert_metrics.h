// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Named measurements that come back from the hardware.

#ifndef ODML_LITERT_LITERT_C_LITERT_METRICS_H_
#define ODML_LITERT_LITERT_C_LITERT_METRICS_H_

#include "litert/c/litert_any.h"
#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The name says the unit. Name and string values belong to the collection that
// the metric was read from.
typedef struct LiteRtMetric {
  const char* name;
  LiteRtAny value;
} LiteRtMetric;

LITERT_ABI_ASSERT(sizeof(LiteRtMetric) == 24);

// An empty collection; LiteRtCompiledModelStopMetricsCollection fills it.
LiteRtStatus LiteRtCreateMetrics(LiteRtMetrics* metrics);
void LiteRtDestroyMetrics(LiteRtMetrics metrics);

// kLiteRtStatusErrorInvalidArgument for an index past the end.
LiteRtStatus LiteRtGetNumMetrics(LiteRtMetrics metrics, int* num_metrics);
LiteRtStatus LiteRtGetMetric(LiteRtMetrics metrics, int metric_index, LiteRtMetric* metric);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_METRICS_H_
