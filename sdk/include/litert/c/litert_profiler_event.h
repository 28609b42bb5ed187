// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// One measured span of time.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_EVENT_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_EVENT_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// What was measured, and what the event's metadata mean.
typedef enum LiteRtProfilerEventType {
  DEFAULT = 1,
  // An op; metadata 1 is its index.
  OPERATOR_INVOKE_EVENT = 1 << 1,
  // An op inside a partition; metadata 1 is the vendor's own index.
  DELEGATE_OPERATOR_INVOKE_EVENT = 1 << 2,
  // The same, listed among the ops of the graph.
  DELEGATE_PROFILED_OPERATOR_INVOKE_EVENT = 1 << 3,
  // The run as a whole; the metadata are status codes.
  GENERAL_RUNTIME_INSTRUMENTATION_EVENT = 1 << 4,
  TELEMETRY_EVENT = 1 << 5,
  TELEMETRY_REPORT_SETTINGS = 1 << 6,
  TELEMETRY_DELEGATE_EVENT = 1 << 7,
  TELEMETRY_DELEGATE_REPORT_SETTINGS = 1 << 8,
} LiteRtProfilerEventType;

typedef struct LiteRtMemoryUsage {
  size_t total_allocated_bytes;
  size_t in_use_allocated_bytes;
  size_t private_footprint_bytes;
} LiteRtMemoryUsage;

// Who measured.
typedef enum ProfiledEventSource {
  LITERT = 0,
  TFLITE_INTERPRETER = 1,
  TFLITE_DELEGATE = 2,
} ProfiledEventSource;

typedef struct ProfiledEventData {
  // Owned by the profiler that the event was read from.
  const char* tag;
  LiteRtProfilerEventType event_type;
  uint64_t start_timestamp_us;
  uint64_t elapsed_time_us;
  LiteRtMemoryUsage begin_mem_usage;
  LiteRtMemoryUsage end_mem_usage;
  uint64_t event_metadata1;
  uint64_t event_metadata2;
  ProfiledEventSource event_source;
} ProfiledEventData;

LITERT_ABI_ASSERT(sizeof(ProfiledEventData) == 104);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_PROFILER_EVENT_H_
