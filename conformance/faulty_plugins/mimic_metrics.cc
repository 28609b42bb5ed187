// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_bytecode.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_any.h"
#include "npukit/delegate_debug.h"
#include "npukit/extensions/reseal.h"
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
  if (Has(Fault::metrics_of_last_run))
    metrics->invocations = std::min<int64_t>(metrics->invocations, 1);
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
  if (Has(Fault::nameless_metric) && index == 0) metric->name = "";
  metric->value.type = kLiteRtAnyTypeInt;
  metric->value.int_value = index == 0 ? metrics->invocations : metrics->cycles;
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics) {
  if (metrics == nullptr) return kLiteRtStatusErrorInvalidArgument;
  delete metrics;
  return kLiteRtStatusOk;
}

// -- Profile: one event for each port, one after the other, a cycle for every byte.

struct Slice {
  const char* unit;
  uint64_t start;
  uint64_t end;
};

std::vector<Slice> Profile(const LiteRtDispatchInvocationContextT& invocation) {
  std::vector<Slice> slices;
  const bool outlasts = Has(Fault::profile_outlasts_recording) && invocation.has_recorded_profile;
  if (!invocation.records_profile && !outlasts) return slices;
  uint64_t cycle = 0;
  const auto add = [&](const char* unit, size_t bytes) {
    slices.push_back({unit, cycle, cycle + bytes});
    cycle += bytes;
  };
  for (size_t i = 0; i < invocation.inputs.size(); ++i)
    add("load", invocation.program->InputBytes(i));
  for (size_t i = 0; i < invocation.outputs.size(); ++i)
    add("store", invocation.program->OutputBytes(i));
  Slice& last = slices.back();
  if (Has(Fault::profile_ends_before_it_begins)) std::swap(last.start, last.end);
  if (Has(Fault::profile_outlives_run)) last.end += 1000;
  if (Has(Fault::profile_overlaps)) slices.push_back({last.unit, last.start + 1, last.end});
  if (Has(Fault::profile_overlaps)) --slices[slices.size() - 2].end;
  if (Has(Fault::profile_accumulates)) {
    const std::vector<Slice> once = slices;
    for (uint64_t run = 1; run < invocation.program->runs(); ++run)
      slices.insert(slices.end(), once.begin(), once.end());
  }
  return slices;
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

using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::IsInvocation;
using npukit::conformance::mimic::Profile;

extern "C" {

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchSetRecording(
    LiteRtDispatchInvocationContext invocation, uint32_t record) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  constexpr uint32_t kKnown = uint32_t{kNpukitRecordProfile} | uint32_t{kNpukitRecordIntermediates};
  if ((record & ~kKnown) != 0 || invocation->graph != nullptr) return kLiteRtStatusErrorUnsupported;
  invocation->records_profile = (record & kNpukitRecordProfile) != 0;
  invocation->has_recorded_profile |= invocation->records_profile;
  invocation->records_intermediates = (record & kNpukitRecordIntermediates) != 0;
  return kLiteRtStatusOk;
}

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetNumProfileEvents(
    LiteRtDispatchInvocationContext invocation, size_t* count) {
  if (!IsInvocation(invocation) || count == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *count = Profile(*invocation).size();
  return kLiteRtStatusOk;
}

__attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetProfileEvent(
    LiteRtDispatchInvocationContext invocation, size_t position, NpukitProfileEvent* event) {
  if (!IsInvocation(invocation) || event == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto profile = Profile(*invocation);
  if (position >= profile.size()) return kLiteRtStatusErrorIndexOOB;
  event->handle = NPUKIT_NO_DEBUG_HANDLE;
  event->unit = profile[position].unit;
  event->start_cycle = profile[position].start;
  event->end_cycle = profile[position].end;
  return kLiteRtStatusOk;
}

}  // extern "C"

// What Mimic tells of ops within a partition.
LiteRtStatus NpukitDispatchGetIntermediate(LiteRtDispatchInvocationContext invocation,
                                           NpukitDebugHandle handle, int output_index,
                                           LiteRtRankedTensorType* type, const void** data,
                                           size_t* size_bytes) {
  if (!IsInvocation(invocation) || type == nullptr || data == nullptr || size_bytes == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  const bool has_values = invocation->records_intermediates || Has(Fault::values_outlast_recording);
  if (!has_values || handle == 0 || output_index != 0) return kLiteRtStatusErrorNotFound;
  if (Has(Fault::tells_op_before) && handle > 1) --handle;
  const std::span<const uint8_t> value = invocation->program->ResultOf(handle - 1, *type);
  if (value.empty()) return kLiteRtStatusErrorNotFound;
  *data = value.data();
  *size_bytes = value.size();
  return kLiteRtStatusOk;
}

// How its bytecode is resealed.
LiteRtStatus NpukitDispatchReseal(void* bytes, size_t size_bytes) {
  if (bytes == nullptr) return kLiteRtStatusErrorInvalidArgument;
  return npukit::conformance::mimic::Reseal({static_cast<uint8_t*>(bytes), size_bytes})
             ? kLiteRtStatusOk
             : kLiteRtStatusErrorInvalidArgument;
}

// What Mimic tells of a run that failed.
LiteRtStatus NpukitDispatchGetLastError(LiteRtDispatchInvocationContext invocation,
                                        NpukitDebugHandle* handle, char* buffer,
                                        size_t buffer_size) {
  if (!IsInvocation(invocation) || handle == nullptr || (buffer == nullptr && buffer_size > 0))
    return kLiteRtStatusErrorInvalidArgument;
  *handle = NPUKIT_NO_DEBUG_HANDLE;
  if (buffer_size == 0) return kLiteRtStatusOk;
  const std::lock_guard<std::mutex> lock(invocation->mutex);
  buffer[invocation->failure.copy(buffer, buffer_size - 1)] = '\0';
  return kLiteRtStatusOk;
}
